package org.streamon.core.filters

import org.streamon.lab.baselines.{DropVectors, Optimum}
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

/** Under stable input: the window is the whole cycle of tuples, so that what an algorithm counts is the
  * truth.
  */
class ConvergenceSpec extends AnyFunSuite with ScalaCheckPropertyChecks {

  private case class Stable(n: Int, vectors: Seq[Long], times: Seq[Long], start: Seq[Int]) {
    val data: DropVectors = DropVectors.ofSample(vectors, times.map(_.toDouble).toArray)

    def settle(r: Reoptimizer, cycles: Int): Array[Int] = {
      val simulated = new SimulatedFilters(r, times.toArray)
      (1 to cycles).foreach(_ => simulated.process(vectors: _*))
      r.order
    }

    /** Whether the Greedy Invariant holds exactly. */
    def greedy(order: Array[Int]): Boolean = {
      def ratio(r: Int, q: Int) = {
        val prefix = Orders.prefix(order, r)
        (data.surviving(prefix) - data.surviving(prefix | 1L << q)) / times(q)
      }
      order.indices.forall(r => order.drop(r).forall(q => ratio(r, order(r)) >= ratio(r, q) - 1e-9))
    }
  }

  private val inputs = for {
    n <- Gen.choose(2, 6)
    vectors <- Gen.listOfN(40, Gen.choose(1L, (1L << n) - 1))
    times <- Gen.listOfN(n, Gen.choose(1L, 9L))
    seed <- Gen.long
  } yield Stable(n, vectors, times, new scala.util.Random(seed).shuffle((0 until n).toList))

  test("A-Greedy reaches the Greedy Invariant as soon as the window is full, and four times the optimum") {
    forAll(inputs) { in =>
      val free = new Precedence(in.n)
      val order =
        in.settle(new AGreedy(in.n, in.start.toArray, 40, thrashAvoidance = 1.0, free, evidence = 40), 1)
      assert(in.greedy(order))
      assert(in.data.costOf(order) <= 4 * in.data.costOf(Optimum.order(in.data, free)))
    }
  }

  test("Sweep ends in an order that satisfies the Greedy Invariant") {
    forAll(inputs) { in =>
      val free = new Precedence(in.n)
      val order = in.settle(
        new Sweep(in.n, in.start.toArray, 40, thrashAvoidance = 1.0, free, evidence = 40),
        in.n * in.n * in.n
      )
      assert(in.greedy(order))
    }
  }

  test("with thrash avoidance the cost is within 4 / alpha of the optimum") {
    forAll(inputs) { in =>
      val free = new Precedence(in.n)
      val order =
        in.settle(new AGreedy(in.n, in.start.toArray, 40, thrashAvoidance = 0.5, free, evidence = 40), 2)
      assert(in.data.costOf(order) <= 4 / 0.5 * in.data.costOf(Optimum.order(in.data, free)))
    }
  }

  test("a sampled profile finds the best order too, and the few last positions may differ") {
    // Three filters of cost 10, and a cheap one last that drops most: every algorithm must bring it first.
    val times = Array(10L, 10L, 10L, 1L)
    for (name <- Reoptimizers.names.filter(_ != "static")) {
      val r = Reoptimizers.create(name, 4, Array(0, 1, 2, 3), 200, 0.9, new Precedence(4))
      val simulated = new SimulatedFilters(r, times, probability = 0.05, seed = 7)
      val random = new java.util.SplittableRandom(11)
      (1 to 60000).foreach(_ =>
        simulated.process((if (random.nextDouble() < 0.8) 8L else 0L) | random.nextLong(8L))
      )
      assert(r.order.head == 3, name)
      assert(simulated.executor.reorders > 0, name)
    }
  }
}
