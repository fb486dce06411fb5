package org.streamon.core.filters

import scala.collection.immutable.BitSet

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

/** Against Scala's own sets, of as many filters as one word has bits, of fewer and of more. */
class FilterSetSpec extends AnyFunSuite with ScalaCheckPropertyChecks {
  import DropSets.filterSet

  private val sizes = Gen.oneOf(Gen.choose(1, 200), Gen.oneOf(1, 63, 64, 65, 127, 128, 129, 500))

  private val pairs = for {
    n <- sizes
    a <- DropSets.some(n)
    b <- Gen.frequency(
      3 -> DropSets.some(n),
      1 -> DropSets.some(n).map(_ & a),
      1 -> DropSets.some(n).map(_ | a)
    )
  } yield (n, a, b)

  private def walk(next: Int => Int): Seq[Int] =
    Iterator.iterate(next(0))(q => next(q + 1)).takeWhile(_ >= 0).toSeq

  test("members are those that were added") {
    forAll(pairs) { case (n, a, _) =>
      val set = filterSet(n, a)
      assert(set.members == a.toSeq && set.isEmpty == a.isEmpty)
      assert((0 until n).forall(q => set.contains(q) == a(q)))
      a.foreach(set.add)
      assert(set.members == a.toSeq)
      assert(set.toString == a.mkString("{", ",", "}"))
    }
  }

  test("one goes through the members in ascending order, from any number on") {
    forAll(pairs) { case (n, a, _) =>
      val set = filterSet(n, a)
      assert(walk(set.next) == a.toSeq)
      val found = new Array[Int](n)
      assert(found.take(set.list(found)).toSeq == a.toSeq)
      for (from <- 0 to n) assert(set.next(from) == a.rangeFrom(from).headOption.getOrElse(-1), from)
    }
  }

  test("two sets together") {
    forAll(pairs) { case (n, a, b) =>
      val (first, second) = (filterSet(n, a), filterSet(n, b))
      assert(first.intersects(second) == (a & b).nonEmpty)
      assert(first.isSubsetOf(second) == a.subsetOf(b))
      first.addAll(second)
      assert(first.members == (a | b).toSeq && second.members == b.toSeq)
    }
  }

  test("a copy, and a set that has become another, go their own ways; a cleared one is empty") {
    forAll(pairs) { case (n, a, b) =>
      val (first, second) = (filterSet(n, a), filterSet(n, b))
      val copy = first.copy()
      first.set(second)
      assert(copy.members == a.toSeq && first.members == b.toSeq)
      first.clear()
      assert(first.isEmpty && first.members.isEmpty && second.members == b.toSeq)
    }
  }

  test("sets in slots keep to themselves") {
    val contents = for {
      n <- sizes
      slots <- Gen.choose(1, 5)
      puts <- Gen.listOf(Gen.zip(Gen.choose(0, slots - 1), DropSets.some(n)))
      probe <- DropSets.some(n)
    } yield (n, slots, puts, probe)
    forAll(contents) { case (n, slots, puts, probe) =>
      val sets = new FilterSets(n, slots)
      val into = filterSet(n, probe)
      for ((slot, set) <- puts) sets.put(slot, filterSet(n, set))
      for (slot <- 0 until slots) {
        val expected = puts.findLast(_._1 == slot).fold(BitSet.empty)(_._2)
        val found = new Array[Int](n)
        assert(found.take(sets.list(slot, found)).toSeq == expected.toSeq)
        assert((0 until n).forall(q => sets.contains(slot, q) == expected(q)))
        assert(sets.intersects(slot, filterSet(n, probe)) == (expected & probe).nonEmpty)
        sets.get(slot, into)
        assert(into.members == expected.toSeq)
      }
    }
  }
}
