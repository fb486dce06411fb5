package org.streamon.core.selections

import java.util.SplittableRandom

import org.scalatest.funsuite.AnyFunSuite
import org.streamon.core.loop.Decision
import org.streamon.core.selections.Comparison._
import org.streamon.core.selections.Selection._

class SelectionLoopSpec extends AnyFunSuite {
  private val n = 4

  /** Every rule asks every attribute. */
  private val constructs = (0 until n).map { _ =>
    Construct((0 until 20).map(j => j -> (Compare(Less, 10 + j): Selection[Int])).toMap, 20, Long.MaxValue)
  }

  /** Rows of which one attribute drops nearly all, and another one half of the rest.
    *
    * @param passes
    *   by attribute, the share of the rows for which all rules hold; for the others none does
    */
  private class Run(settings: SequenceSettings, first: Sequence = Sequence(0 until n)) {
    val loop = new SelectionLoop(20, constructs, first, settings)
    private val random = new SplittableRandom(1)
    var decisions = Vector.empty[Decision[Sequence, SequenceStatistics]]

    /** Constructs asked for each row. */
    def feed(rows: Int, passes: Double*): Double = {
      var asked = 0L
      for (_ <- 0 until rows / 100) {
        val seen = loop.current
        val selector = new Selector(20, constructs, seen.plan)
        var dropped = 0
        for (_ <- 0 until 100) {
          val regions = Array.tabulate(n)(a =>
            constructs(a).constants.region(if (random.nextDouble() < passes(a)) 0 else 99)
          )
          if (!selector.select(regions(_))) dropped += 1
          if (loop.wantsSamples && random.nextInt(10) == 0) loop.sampled(regions)
        }
        asked += selector.constructsAsked
        loop.account(seen, 100, dropped, selector.constructsAsked)
        decisions ++= loop.review()
      }
      asked.toDouble / rows
    }
  }

  private val every = Seq(Trigger.DroppingRatio, Trigger.Asked)

  test("after the first period the construct that drops most comes first, and stays there") {
    for (trigger <- every; hybrid <- Seq(false, true)) {
      val run = new Run(SequenceSettings(period = 1000, threshold = 0.3, hybrid = hybrid, trigger = trigger))
      // A period has about as many sampled rows as a search needs, so it may take two.
      assert(run.feed(2000, 0.9, 0.9, 0.1, 0.9) > 2)
      assert(run.feed(5000, 0.9, 0.9, 0.1, 0.9) < 1.4)
      assert(run.loop.current.plan.macroSequence.head == 2)
      assert(run.decisions.size == 1 && run.decisions.head.statistics.before.isEmpty)
    }
  }

  test(
    "other attributes that drop as many rows are noticed by the constructs asked, and not by the dropping ratio"
  ) {
    for (trigger <- every) {
      val run = new Run(SequenceSettings(period = 1000, threshold = 0.3, trigger = trigger))
      run.feed(4000, 0.1, 0.9, 0.9, 0.9)
      run.feed(3000, 0.9, 0.9, 0.9, 0.1)
      val expected = if (trigger == Trigger.Asked) 3 else 0
      assert(run.loop.current.plan.macroSequence.head == expected)
    }
  }

  test("a change of the dropping ratio is noticed within a period, and the next one tells the sequence") {
    val run =
      new Run(SequenceSettings(period = 1000, threshold = 0.1, sample = 50, trigger = Trigger.DroppingRatio))
    run.feed(4000, 0.1, 0.9, 0.9, 0.9)
    assert(run.loop.current.plan.macroSequence.head == 0)
    run.feed(2000, 1.0, 0.6, 1.0, 1.0)
    assert(run.loop.current.plan.macroSequence.head == 1)
    assert(run.decisions.last.statistics.before.exists(_ > 0.85) && run.decisions.last.statistics.now < 0.5)
  }

  test("a threshold of 0 searches after each period, and one that nothing reaches after the first only") {
    for ((threshold, searches) <- Seq(0.0 -> 6, 1e9 -> 1)) {
      val run = new Run(SequenceSettings(period = 1000, threshold = threshold, sample = 50))
      for (k <- 0 until 6) run.feed(1000, (0 until n).map(a => if (a == k % n) 0.05 else 0.95): _*)
      assert(run.decisions.size == searches)
    }
  }

  test("arrows are taken only where they spare the share of the constructs that they must") {
    // Attribute 0 tells of the kind of a row. One of the others drops it then.
    val kinds = 4
    val byKind = (0 to kinds).map { a =>
      val asked: Map[Int, Selection[Int]] =
        if (a == 0) (0 until kinds).map(k => k -> Compare(Equal, k)).toMap
        else Map(a - 1 -> Compare(Greater, 5))
      Construct(asked, kinds, Long.MaxValue)
    }
    def regions(row: Int) =
      byKind.indices.map(a => byKind(a).constants.region(if (a == 0) row % kinds else 0)).toArray
    def arrowsFor(gain: Double): Int = {
      val settings = SequenceSettings(period = 1000, sample = 100, arrowGain = gain)
      val loop = new SelectionLoop(kinds, byKind, Sequence(0 to kinds), settings)
      for (row <- 0 until 100) loop.sampled(regions(row))
      loop.account(loop.current, 1000, 1000, 3500)
      val decision = loop.review()
      // Of a row, 2 constructs are asked with arrows. Without them 3.5 are.
      assert(!loop.wantsSamples && decision.nonEmpty == (gain < 1 - 2 / 3.5))
      // Arrows that no longer pay are given up.
      val other = new SelectionLoop(kinds, byKind, Sequence(0 to kinds), settings.copy(arrowGain = 0.45))
      other.begin(loop.current.plan)
      for (row <- 0 until 100) other.sampled(regions(row))
      other.account(other.current, 1000, 1000, 2000)
      for (change <- other.review())
        assert(change.statistics.newAsked == 3.5 && change.statistics.oldAsked == 2)
      assert(other.current.plan == Sequence(0 to kinds))
      loop.current.plan.arrows.size
    }
    assert(arrowsFor(0.0) == kinds - 1 && arrowsFor(0.4) == kinds - 1 && arrowsFor(0.45) == 0)
  }

  test("rows are sampled until all that are kept have come, and again after a change") {
    val run = new Run(SequenceSettings(period = 1000, threshold = 0.3, sample = 300))
    assert(run.loop.wantsSamples)
    run.feed(2000, 0.9, 0.9, 0.1, 0.9)
    assert(run.loop.current.plan.macroSequence.head == 2 && run.loop.wantsSamples)
    run.feed(2000, 0.9, 0.9, 0.1, 0.9)
    assert(!run.loop.wantsSamples)
    run.feed(3000, 0.9, 0.9, 0.1, 0.9)
    assert(!run.loop.wantsSamples)
    run.feed(1000, 0.1, 0.9, 0.9, 0.9)
    assert(run.loop.current.plan.macroSequence.head == 2 && run.loop.wantsSamples)
    // A period has about as many sampled rows as a search needs.
    run.feed(2000, 0.1, 0.9, 0.9, 0.9)
    assert(run.loop.current.plan.macroSequence.head == 0 && run.loop.wantsSamples)
    run.feed(4000, 0.1, 0.9, 0.9, 0.9)
    assert(run.loop.current.plan.macroSequence.head == 0 && !run.loop.wantsSamples)
  }

  test("nothing sampled, nothing changed") {
    val loop = new SelectionLoop(20, constructs, Sequence(0 until n), SequenceSettings(period = 10))
    loop.account(loop.current, 100, 50, 200)
    assert(loop.isDue && loop.review().isEmpty && loop.current.version == 0 && !loop.isDue)
  }

  test("what rows of an older sequence came to says nothing of the current one") {
    val run = new Run(SequenceSettings(period = 1000))
    val seen = run.loop.current
    run.feed(3000, 0.9, 0.9, 0.1, 0.9)
    assert(run.loop.current.version == 1)
    run.loop.account(seen, 1000000, 0, 4000000)
    assert(!run.loop.isDue)
  }

  test("settings that are none are refused with what is allowed") {
    assert(
      intercept[IllegalArgumentException](SequenceSettings(period = 0)).getMessage.contains("1 row or more")
    )
    assert(
      intercept[IllegalArgumentException](SequenceSettings(sample = 0)).getMessage.contains("1 row or more")
    )
    assert(
      intercept[IllegalArgumentException](SequenceSettings(threshold = -1)).getMessage.contains("0 or more")
    )
    for (gain <- Seq(-0.1, 1.0))
      assert(
        intercept[IllegalArgumentException](SequenceSettings(arrowGain = gain)).getMessage.contains("below 1")
      )
  }
}
