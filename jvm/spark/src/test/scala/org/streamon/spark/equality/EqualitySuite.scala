package org.streamon.spark.equality

import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.{Replay, SparkSuite}
import org.streamon.tags.Prove

/** Rules 1 and 2 of the design by generation: adaptive filters neither change an answer nor raise a new
  * error. `-Dstreamon.seed=N` replays the trial of seed N and goes on from there.
  */
class EqualitySuite extends AnyFunSuite with SparkSuite with Equality {
  private val seed = Replay.seed

  test("random conjunctions give the answers and the errors of stock Spark") {
    compare(seed.getOrElse(1L), trials = 16, orders = 4)
    // These bounds hold for the fixed seed only.
    if (seed.isEmpty) {
      assert(coverage.adaptive > 0.8 * coverage.runs, coverage)
      assert(coverage.raising > 0.1 * coverage.runs, coverage)
      assert(coverage.reordering > 0 && coverage.reevaluating > 0, coverage)
      assert(coverage.routed > 16, coverage)
    }
  }

  test("many more of them, in every order of up to four conjuncts", Prove) {
    compare(seed.getOrElse(System.nanoTime()), trials = 250, orders = 24)
  }

  private def compare(first: Long, trials: Int, orders: Int): Unit = {
    info(s"seeds from $first")
    val wrong = (first until first + trials).flatMap { seed =>
      val trial = Trial(seed)
      difference(trial, orders).map(trial -> _)
    }
    info(coverage.toString)
    wrong.headOption.foreach { case (trial, problem) =>
      val small = smallest(trial, orders)
      val others = wrong.tail.map { case (t, p) => s"$p\n$t\n" }.mkString("\n")
      fail(s"${difference(small, orders).getOrElse(problem)}\n$small\n\n$others")
    }
  }
}
