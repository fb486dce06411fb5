package org.streamon.core.routes

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks
import org.streamon.core.filters.{AGreedy, Precedence, ProfileTuple}

class BlockProfileSpec extends AnyFunSuite with ScalaCheckPropertyChecks {
  private val attributes = Vector(Attribute.number("x"))

  private val cases = for {
    n <- Gen.choose(1, 6)
    drops <- Gen.nonEmptyListOf(Gen.someOf(0 until n).map(_.toSet))
    nanos <- Gen.listOfN(n, Gen.choose(1L, 9L).map(_ * 100))
    seed <- Gen.long
  } yield (n, drops, nanos, seed)

  test(
    "the cost of an order by hand: two rows in three leave at filter 1, and one of them would at filter 0"
  ) {
    val profile = RouteCases.block(Seq(Set(1), Set(0, 1), Set()), Seq(100, 300))
    assert(profile.density == 3.0)
    assert(profile.cost(Vector(0, 1)) == (400.0 + 100 + 400) / 3)
    assert(profile.cost(Vector(1, 0)) == (300.0 + 300 + 400) / 3)
    assert(profile.meanNanos(1) == 300.0)
    assert(profile.greedy(new Precedence(2)) == Seq(0, 1)) // 1/3 a hundred against 2/3 three hundred
  }

  test("the cost of any order is what its rows take one by one, with all their correlation") {
    forAll(cases) { case (n, drops, nanos, seed) =>
      val order = new scala.util.Random(seed).shuffle((0 until n).toVector)
      val each = drops.map { d =>
        val gone = order.indexWhere(d)
        order.take(if (gone < 0) n else gone + 1).map(nanos).sum
      }
      assert(math.abs(RouteCases.block(drops, nanos).cost(order) - each.sum.toDouble / each.size) < 1e-6)
    }
  }

  test("the greedy order is A-Greedy's for the same rows") {
    forAll(cases) { case (n, drops, nanos, _) =>
      val algorithm =
        new AGreedy(n, Array.range(0, n), 1000, 1.0, new Precedence(n), evidence = 1)
      val tuple = new ProfileTuple(n)
      for (d <- drops if d.nonEmpty) {
        Row.profile(d, nanos, tuple)
        algorithm.observe(tuple)
      }
      val ours = RouteCases.block(drops, nanos)
      // Of equal filters either may be first.
      assert(
        math.abs(ours.cost(ours.greedy(new Precedence(n))) - ours.cost(algorithm.plan.toVector)) < 1e-6 ||
          hasTies(drops, nanos)
      )
    }
  }

  /** Whether two filters have the same ratio for some prefix. */
  private def hasTies(drops: Seq[Set[Int]], nanos: Seq[Long]): Boolean =
    nanos.indices.toSet.subsets().exists { prefix =>
      val left = drops.filterNot(_.exists(prefix))
      val ratios = nanos.indices.filterNot(prefix).map(q => (left.count(_(q)), nanos(q))).filter(_._1 > 0)
      ratios.combinations(2).exists(p => p(0)._1 * p(1)._2 == p(1)._1 * p(0)._2)
    }

  test("guards are obeyed") {
    forAll(cases, Gen.listOf(Gen.zip(Gen.choose(0, 5), Gen.choose(0, 5)))) {
      case ((n, drops, nanos, _), edges) =>
        val precedence = new Precedence(n)
        edges.filter { case (a, b) => a < n && b < n }.foreach { case (a, b) => precedence.add(a, b) }
        assert(precedence.obeyedBy(RouteCases.block(drops, nanos).greedy(precedence).toArray))
    }
  }

  test("blocks together are the block of all their rows") {
    forAll(cases, cases) { case ((n, first, nanos, _), (_, more, _, _)) =>
      val second = more.map(_.filter(_ < n))
      val set = RouteCases.training(attributes, (first ++ second).map(Row(Seq(0.0), _)), nanos)
      val (one, other, all) = (new BlockProfile(set), new BlockProfile(set), new BlockProfile(set))
      val half = set.tuples.size / 2
      set.tuples.indices.foreach { i =>
        (if (i < half) one else other).add(i)
        all.add(i)
      }
      one.addAll(other)
      val order = (0 until n).toVector
      assert(one.density == all.density && math.abs(one.cost(order) - all.cost(order)) < 1e-6)
    }
  }

  test(
    "a filter that a guard kept from all rows of a block takes its mean over the set; no rows cost nothing"
  ) {
    val set = RouteCases.training(attributes, Seq(Row(Seq(0.0), Set(0))), Seq(100, 500))
    val empty = new BlockProfile(set)
    assert(empty.meanNanos(1) == 500.0 && empty.cost(Vector(0, 1)) == 0.0)
    assert(empty.greedy(new Precedence(2)) == Seq(0, 1))
  }
}
