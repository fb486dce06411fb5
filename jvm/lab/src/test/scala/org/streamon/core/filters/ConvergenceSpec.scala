package org.streamon.core.filters

import org.streamon.core.joins.Bits
import org.streamon.lab.baselines.{DropVectors, Optimum}
import org.scalacheck.Gen
import org.scalatest.exceptions.TestFailedException
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

/** Under stable input: the window is the whole cycle of tuples, so that what an algorithm counts is the
  * truth.
  */
class ConvergenceSpec extends AnyFunSuite with ScalaCheckPropertyChecks {
  private val cycle = 40

  private case class Stable(n: Int, vectors: Seq[Long], times: Seq[Long], start: Seq[Int]) {
    val data: DropVectors = DropVectors.ofSample(vectors, times.map(_.toDouble).toArray)

    def settle(r: OrderingAlgorithm, cycles: Int): Array[Int] = {
      val simulated = new SimulatedFilters(r, times.toArray)
      (1 to cycles).foreach(_ => simulated.process(vectors: _*))
      r.plan
    }

    /** Whether no filter has a ratio of which even the share alpha is above that of the filter in place: with
      * alpha = 1 the Greedy Invariant, exactly.
      */
    def greedy(order: Array[Int], alpha: Double = 1.0): Boolean = {
      def ratio(r: Int, q: Int) = {
        val prefix = Bits.of(order.take(r))
        (data.surviving(prefix) - data.surviving(prefix | 1L << q)) / times(q)
      }
      order.indices.forall(r => order.drop(r).forall(q => ratio(r, order(r)) >= alpha * ratio(r, q) - 1e-9))
    }

    /** What the order costs, as a multiple of the optimum. */
    def regret(order: Array[Int]): Double =
      data.costOf(order) / data.costOf(Optimum.order(data, new Precedence(n)))
  }

  /** Filters that take from 1 to 300, so that an order matters. */
  private val inputs = for {
    n <- Gen.choose(2, 6)
    vectors <- Gen.listOfN(cycle, Gen.choose(1L, (1L << n) - 1))
    times <- Gen.listOfN(n, Gen.oneOf(1L, 3L, 10L, 30L, 100L, 300L))
    seed <- Gen.long
  } yield Stable(n, vectors, times, new scala.util.Random(seed).shuffle((0 until n).toList))

  private def reoptimizer(name: String, alpha: Double)(in: Stable): OrderingAlgorithm = {
    val (start, free) = (in.start.toArray, new Precedence(in.n))
    name match {
      case "a-greedy"    => new AGreedy(in.n, start, cycle, alpha, free, evidence = cycle)
      case "sweep"       => new Sweep(in.n, start, cycle, alpha, free, evidence = cycle)
      case "independent" => new Independent(in.n, start, cycle, alpha, free, evidence = cycle)
      case "local-swaps" => new LocalSwaps(in.n, start, cycle, alpha, free, evidence = cycle)
      case "static"      => new StaticOrder(in.n, start, free)
    }
  }

  test("A-Greedy reaches the Greedy Invariant as soon as the window is full") {
    forAll(inputs)(in => assert(in.greedy(in.settle(reoptimizer("a-greedy", 1.0)(in), 1))))
  }

  test("Sweep ends in an order that satisfies the Greedy Invariant") {
    forAll(inputs)(in => assert(in.greedy(in.settle(reoptimizer("sweep", 1.0)(in), in.n * in.n * in.n))))
  }

  test("with thrash avoidance both end in an order that satisfies it but for the share (Equation 4.4)") {
    forAll(inputs) { in =>
      assert(in.greedy(in.settle(reoptimizer("a-greedy", 0.5)(in), 2), alpha = 0.5))
      assert(in.greedy(in.settle(reoptimizer("sweep", 0.5)(in), in.n * in.n * in.n), alpha = 0.5))
    }
  }

  private val seeds = 1L to 200L

  /** On each of the same inputs what an algorithm settles at is within a multiple of the optimum. */
  private def assertSettles(name: String, alpha: Double, within: Double): Unit = for (seed <- seeds) {
    val in = inputs.pureApply(Gen.Parameters.default, org.scalacheck.rng.Seed(seed))
    val regret = in.regret(in.settle(reoptimizer(name, alpha)(in), 2 * in.n * in.n * in.n))
    assert(regret <= within, s"$name with alpha = $alpha, seed $seed")
  }

  // For the first two the thesis has 4 / alpha, and no constant for the others. These are what was measured, rounded up.
  for {
    (name, alpha, within) <- Seq(
      ("a-greedy", 1.0, 1.1),
      ("a-greedy", 0.5, 1.5),
      ("sweep", 1.0, 1.1),
      ("sweep", 0.5, 1.5),
      ("independent", 1.0, 1.7),
      ("independent", 0.5, 1.7),
      ("local-swaps", 1.0, 3.5),
      ("local-swaps", 0.5, 5.0)
    )
  } test(
    s"$name with alpha = $alpha settles within $within times the optimum; an order left as it is does not"
  ) {
    assertSettles(name, alpha, within)
    assertThrows[TestFailedException](assertSettles("static", alpha, within))
  }

  test("a sampled profile finds the best order too, and the few last positions may differ") {
    // Three filters of cost 10, and a cheap one last that drops most: every algorithm must bring it first.
    val times = Array(10L, 10L, 10L, 1L)
    for (name <- OrderingAlgorithms.names.filter(_ != "static")) {
      val r = OrderingAlgorithms.create(name, 4, Array(0, 1, 2, 3), 200, 0.9, new Precedence(4))
      val simulated = new SimulatedFilters(r, times, probability = 0.05, seed = 7)
      val random = new java.util.SplittableRandom(11)
      (1 to 60000).foreach(_ =>
        simulated.process((if (random.nextDouble() < 0.8) 8L else 0L) | random.nextLong(8L))
      )
      assert(r.plan.head == 3, name)
      assert(simulated.executor.reorders > 0, name)
    }
  }
}
