package org.streamon.core.filters

import org.streamon.lab.baselines.{DropVectors, Optimum}
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class OptimumSpec extends AnyFunSuite with ScalaCheckPropertyChecks {

  private case class Case(
      n: Int,
      vectors: Seq[Long],
      weights: Seq[Double],
      times: Seq[Double],
      edges: Seq[(Int, Int)]
  ) {
    val input = new DropVectors(vectors.toArray, weights.toArray, times.toArray)
    val guards = new Precedence(n)
    edges.foreach { case (g, q) => guards.add(g, q) }
    def legal: Iterator[Array[Int]] = Array.range(0, n).permutations.filter(guards.obeyedBy)
  }

  private val cases = for {
    n <- Gen.choose(1, 6)
    k <- Gen.choose(1, 12)
    vectors <- Gen.listOfN(k, Gen.choose(0L, (1L << n) - 1))
    weights <- Gen.listOfN(k, Gen.choose(0.0, 10.0))
    times <- Gen.listOfN(n, Gen.choose(0.5, 50.0))
    edges <- Gen.resize(3, Gen.listOf(Gen.zip(Gen.choose(0, n - 1), Gen.choose(0, n - 1))))
  } yield Case(n, vectors, weights, times, edges)

  test("the search finds the cheapest of all orders that obey the guards") {
    forAll(cases) { c =>
      val best = Optimum.order(c.input, c.guards)
      assert(c.guards.obeyedBy(best) && best.sorted.sameElements(0 until c.n))
      assert(c.input.costOf(best) <= c.legal.map(c.input.costOf).min * (1 + 1e-12) + 1e-9)
    }
  }

  test("the cost of an order is that of evaluating its filters until one drops") {
    forAll(cases) { c =>
      val order = Array.range(0, c.n).reverse
      val walked = c.vectors
        .zip(c.weights)
        .map { case (b, w) =>
          val evaluated = order.indexWhere(q => (b >>> q & 1L) != 0L) match {
            case -1 => order
            case r  => order.take(r + 1)
          }
          w * evaluated.map(c.times(_)).sum
        }
        .sum
      assert(math.abs(Optimum.costOf(order, c.input) - walked) <= 1e-9 * (1 + walked))
    }
  }

  test("Greedy costs at most four times the optimum") {
    forAll(cases) { c =>
      val free = new Precedence(c.n)
      val optimum = c.input.costOf(Optimum.order(c.input, free))
      assert(c.input.costOf(c.input.greedy(free)) <= 4 * optimum + 1e-9)
    }
  }

  test("for independent filters Greedy, Independent and the optimum cost the same") {
    val independent = for {
      n <- Gen.choose(1, 5)
      drops <- Gen.listOfN(n, Gen.choose(0.0, 1.0))
      times <- Gen.listOfN(n, Gen.choose(1.0, 20.0))
    } yield (drops, times)
    forAll(independent) { case (drops, times) =>
      val n = drops.size
      val vectors = (0L until 1L << n).toArray
      val weights =
        vectors.map(b => (0 until n).map(q => if ((b >>> q & 1L) != 0L) drops(q) else 1 - drops(q)).product)
      val input = new DropVectors(vectors, weights, times.toArray)
      val free = new Precedence(n)
      val optimum = input.costOf(Optimum.order(input, free))
      assert(math.abs(input.costOf(input.greedy(free)) - optimum) <= 1e-9 * optimum)
      assert(math.abs(input.costOf(input.independent(free)) - optimum) <= 1e-9 * optimum)
    }
  }

  test("more filters than the search can take are refused") {
    val input = new DropVectors(Array(0L), Array(1.0), Array.fill(21)(1.0))
    val refused = intercept[IllegalArgumentException](Optimum.order(input, new Precedence(21)))
    assert(refused.getMessage.contains("at most 20"))
  }
}
