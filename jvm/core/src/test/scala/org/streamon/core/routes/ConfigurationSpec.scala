package org.streamon.core.routes

import java.util.SplittableRandom

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class ConfigurationSpec extends AnyFunSuite with ScalaCheckPropertyChecks {

  private def choose(n: Int, k: Int): BigInt = (1 to k).foldLeft(BigInt(1))((c, i) => c * (n - k + i) / i)

  /** Equation 1 with C(k, j), by its erratum. */
  private def stirling(n: Int, k: Int): BigInt = {
    val sum = (1 to k).map(j => choose(k, j) * BigInt(j).pow(n) * (if ((k - j) % 2 == 0) 1 else -1)).sum
    sum / (1 to k).map(BigInt(_)).product
  }

  test("set partitions up to 8 elements are as many as Equation 1 says, by their blocks, and all different") {
    val bells = Seq(1, 2, 5, 15, 52, 203, 877, 4140)
    for (n <- 1 to 8) {
      val all = Configuration.all(n).toVector
      assert(all.size == bells(n - 1) && all.map(_.toString).distinct.size == all.size)
      assert(all.forall(c => c.members.flatten.sorted == (0 until n)))
      for (k <- 1 to n) assert(all.count(_.blockCount == k) == stirling(n, k), (n, k))
    }
  }

  test("what is printed with C(n, j) is no Stirling number") {
    assert(stirling(4, 2) == 7)
    assert((1 to 2).map(j => choose(4, j) * BigInt(j).pow(4) * (if (j % 2 == 0) 1 else -1)).sum / 2 != 7)
  }

  test("neighbours of 1/234 are those of the paper, and its merge") {
    val random = new SplittableRandom(1)
    val from = Configuration(Vector(0, 1, 1, 1))
    val seen = Seq.fill(400)(from.neighbour(random).toString)
    assert(seen.distinct.sorted == Seq("1/2/34", "1/23/4", "1/24/3", "1234"))
    assert(math.abs(seen.count(_ == "1234") - 200) < 60)
  }

  test("a neighbour is one split or one merge away, and some way leads to every partition") {
    val configurations = for {
      n <- Gen.choose(1, 12)
      labels <- Gen.listOfN(n, Gen.choose(0, 4))
    } yield Configuration(labels.toVector)
    forAll(configurations, Gen.long) { (from, seed) =>
      val to = from.neighbour(new SplittableRandom(seed))
      val (before, after) = (from.members.toSet, to.members.toSet)
      if (from.size == 1) assert(to == from)
      else {
        val (gone, come) = (before -- after, after -- before)
        assert(Set(gone.size, come.size) == Set(1, 2), s"$from -> $to")
        assert(gone.flatten == come.flatten)
      }
    }
    val random = new SplittableRandom(3)
    var at = Configuration(Vector(0, 0, 0, 0))
    val visited = Seq.fill(2000) {
      at = at.neighbour(random)
      at
    }
    assert(visited.distinct.size == 15)
  }

  test("partitions are equal whatever their blocks are called") {
    assert(Configuration(Vector("b", "a", "b")) == Configuration(Vector(5, 9, 5)))
    assert(Configuration(Vector(5, 9, 5)).toString == "13/2")
    assert(Configuration(Vector.empty[Int]).blockCount == 0)
  }
}
