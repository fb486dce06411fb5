package org.streamon.core.filters

import scala.collection.immutable.BitSet

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

/** What A-Greedy keeps from tuple to tuple changes none of its decisions: after each profile tuple its order,
  * and every mean to the last bit, are those of [[PlainAGreedy]], which keeps nothing.
  */
class EqualDecisionsSpec extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 200)

  /** Of one filter: mostly alike, now and then a pause, or nothing that the clock sees. */
  private val nanos: Gen[Long] = Gen.frequency(
    20 -> Gen.choose(20L, 200L),
    4 -> Gen.choose(1L, 1L << 20),
    1 -> Gen.choose(1L << 30, 1L << 40),
    1 -> Gen.choose(-5L, 1L)
  )

  private case class Run(
      n: Int,
      window: Int,
      alpha: Double,
      evidence: Int,
      tuples: Seq[(BitSet, BitSet, Seq[Long])]
  )

  private val runs = for {
    n <- DropSets.sizes(Gen.choose(1, 7), oneOf = 25)
    window <- Gen.choose(1, 40)
    alpha <- Gen.oneOf(0.5, 0.9, 1.0)
    evidence <- Gen.choose(1, 32)
    // Filters that guards leave out are not timed.
    evaluated = Gen.oneOf(Gen.const(BitSet.fromSpecific(0 until n)), DropSets.nonEmpty(n))
    count = if (n < 65) 100 else 40
    tuples <- Gen.listOfN(count, Gen.zip(evaluated, DropSets.nonEmpty(n), Gen.listOfN(n, nanos)))
  } yield Run(n, window, alpha, evidence, tuples)

  test("the order and the means are those of a computation from all profile tuples") {
    var reorders, pauses = 0
    forAll(runs) { run =>
      val start = Array.range(0, run.n)
      val kept =
        new AGreedy(run.n, start, run.window, run.alpha, new Precedence(run.n), run.evidence)
      val plain = new PlainAGreedy(run.n, start.toSeq, run.window, run.alpha, run.evidence)
      val tuple = new ProfileTuple(run.n)
      for ((evaluated, dropped, times) <- run.tuples) {
        tuple.evaluated.set(DropSets.filterSet(run.n, evaluated))
        tuple.dropped.set(DropSets.filterSet(run.n, dropped & evaluated))
        times.copyToArray(tuple.nanos)
        if (kept.observe(tuple)) reorders += 1
        plain.observe(evaluated, dropped & evaluated, times)
        assert(kept.plan.toSeq == plain.order)
        if (kept.profileWindow.size >= math.min(run.evidence, run.window))
          for (q <- 0 until run.n) assert(java.lang.Double.compare(kept.meanNanos(q), plain.means(q)) == 0)
        if (times.max > (1L << 29)) pauses += 1
      }
    }
    assert(reorders > 1000 && pauses > 1000, (reorders, pauses))
  }
}
