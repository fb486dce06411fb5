package org.streamon.core.selections

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks
import org.streamon.Allocated
import org.streamon.core.selections.SelectionCases._

class SelectorSpec extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 100)

  private def rulesOf(live: LiveRules): Seq[Int] =
    Iterator.iterate(live.next(0))(rule => live.next(rule + 1)).takeWhile(_ >= 0).toSeq

  /** A sequence, with any arrows. */
  private def sequences(constructs: IndexedSeq[Construct[Int]]): Gen[Sequence] = {
    val all = constructs.indices.toVector
    val froms = for (a <- all; block <- 0 until constructs(a).sets.blocks) yield a -> block
    for {
      order <- Gen.long.map(seed => new scala.util.Random(seed).shuffle(all))
      chosen <- Gen.someOf(froms)
      to <- Gen.listOfN(chosen.size, Gen.oneOf(all))
    } yield Sequence(order, chosen.zip(to).filter { case ((from, _), a) => a != from }.toMap)
  }

  test("the rules that hold are those of each rule by itself, in every sequence and with any arrows") {
    var dropped, held = 0
    forAll(for {
      of <- cases()
      bytes <- Gen.oneOf(0L, 2000L, Long.MaxValue)
      constructs = of.constructs(bytes)
      sequence <- sequences(constructs)
    } yield (of, constructs, sequence)) { case (of, constructs, sequence) =>
      val selector = new Selector(of.rules.size, constructs, sequence)
      for ((row, expected) <- of.rows.zip(of.holding)) {
        var asked = Set.empty[Int]
        val holds = selector.select { a =>
          assert(!asked(a), s"attribute $a was asked twice")
          asked += a
          regionOf(constructs, row, a)
        }
        assert(holds == expected.nonEmpty)
        if (holds) held += 1 else dropped += 1
        assert(rulesOf(selector.live) == expected && selector.live.cardinality == expected.size)
      }
    }
    assert(dropped > 500 && held > 500)
  }

  test("thousands of rules are found as few are") {
    import Selection._, Comparison._
    for (size <- Seq(64 * 32, 64 * 33, 64 * 40 - 1); bytes <- Seq(0L, Long.MaxValue)) {
      val rules = IndexedSeq.tabulate(size)(j =>
        (0 until 2).map(a => a -> (Compare(Less, (j * (a + 7)) % 101): Selection[Int])).toMap
      )
      val random = new scala.util.Random(3)
      val rows = IndexedSeq.fill(50)(IndexedSeq.fill(2)(Option(random.nextInt(110))))
      val of = Case(2, rules, rows)
      val constructs = of.constructs(bytes)
      val selector = new Selector(size, constructs, Sequence(0 until 2))
      for ((row, expected) <- of.rows.zip(of.holding)) {
        assert(selector.select(regionOf(constructs, row, _)) == expected.nonEmpty)
        assert(rulesOf(selector.live) == expected)
      }
      assert(of.holding.exists(_.isEmpty) && of.holding.exists(_.nonEmpty))
    }
  }

  test("an attribute of which nothing is known leaves the rules alive that the others do") {
    var left = 0
    forAll(for {
      of <- cases(least = 2)
      bytes <- Gen.oneOf(0L, 2000L, Long.MaxValue)
      unknown <- Gen.someOf(0 until of.attributes)
    } yield (of, of.constructs(bytes), unknown.toSet)) { case (of, constructs, unknown) =>
      val selector = new Selector(of.rules.size, constructs, Sequence(constructs.indices))
      for (row <- of.rows) {
        val expected = of.rules.indices.filter { j =>
          of.rules(j).forall { case (a, selection) => unknown(a) || holds(selection, row(a)) }
        }
        selector.select(a => if (unknown(a)) Selector.Unknown else regionOf(constructs, row, a))
        assert(rulesOf(selector.live) == expected)
        left += expected.size
      }
    }
    assert(left > 10000)
  }

  test("rules that ask nothing hold of every row, also where no rule asks anything") {
    val selector = new Selector(70, Vector.empty, Sequence(Vector.empty))
    assert(selector.select(_ => 0) && rulesOf(selector.live) == (0 until 70))
  }

  test(
    "a row is dropped as soon as no rule is left, and arrows are followed where they lead to what is open"
  ) {
    import Selection._, Comparison._
    val rules = IndexedSeq[Rule](
      Map(0 -> Compare(Equal, 1), 1 -> Compare(Equal, 1)),
      Map(0 -> Compare(Equal, 2), 2 -> Compare(Equal, 2))
    )
    val of =
      Case(3, rules, IndexedSeq(IndexedSeq(Some(2), Some(1), Some(0)), IndexedSeq(Some(0), None, None)))
    val constructs = of.constructs()
    def select(sequence: Sequence, row: Int): (Boolean, Long, Long) = {
      val selector = new Selector(2, constructs, sequence)
      val holds = selector.select(regionOf(constructs, of.rows(row), _))
      (holds, selector.constructsAsked, selector.arrowsFollowed)
    }
    assert(select(Sequence(Vector(0, 1, 2)), 0) == ((false, 3, 0)))
    assert(select(Sequence(Vector(0, 1, 2)), 1) == ((false, 1, 0)))
    // Where x = 2 only the third attribute can decide.
    def block(a: Int, value: Int) = constructs(a).blockOf(constructs(a).constants.region(value))
    val at2 = block(0, 2)
    assert(select(Sequence(Vector(0, 1, 2), Map((0, at2) -> 2)), 0) == ((false, 2, 1)))
    // The arrow back leads to what was asked already.
    val back = Map((0, at2) -> 1, (1, block(1, 1)) -> 0)
    assert(select(Sequence(Vector(0, 2, 1), back), 0) == ((false, 3, 1)))
  }

  test("a sequence has each attribute once, and arrows between its attributes") {
    for (wrong <- Seq(() => Sequence(Vector(0, 0)), () => Sequence(Vector(0, 1), Map((0, 0) -> 2))))
      assertThrows[IllegalArgumentException](wrong())
  }

  test("to select allocates nothing") {
    val of =
      cases(least = 4, most = 4, rules = 2000).pureApply(Gen.Parameters.default, org.scalacheck.rng.Seed(3L))
    val constructs = of.constructs(5000)
    val selector =
      new Selector(
        of.rules.size,
        constructs,
        Sequence(constructs.indices, Map((0, 0) -> (constructs.size - 1)))
      )
    val regions = of.rows.map(row => constructs.indices.map(regionOf(constructs, row, _)).toArray).toArray
    var at = 0
    val row: Regions = regions(at)(_)
    var held = 0
    def go(times: Int): Unit = for (i <- 0 until times) {
      at = i % regions.length
      if (selector.select(row)) held += 1
    }
    go(20000)
    assert(Allocated.by(go(100000)) < 10000, held)
  }
}
