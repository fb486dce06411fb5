package org.streamon.lab

import java.util.SplittableRandom

import org.scalatest.funsuite.AnyFunSuite
import org.streamon.core.selections.Selection.Compare
import org.streamon.core.selections.{Comparison, Selection}

import SelectionContender._

class SelectionLabSpec extends AnyFunSuite {
  private val small = Scale.quick.copy(seeds = Seq(1L, 2L), arrivals = 5000, timeline = 30000)

  private val shapes = Seq(RuleShape.Q1, RuleShape.Q2, RuleShape.Q4(0.5), RuleShape.Topics) ++ RuleShape.Q3

  test("rules have the numbers of Table 1, and each attribute is used") {
    for (shape <- shapes) {
      val rules = SelectionRules.draw(shape, Vector.fill(shape.attributes)(100), new SplittableRandom(1))
      assert(rules.size == shape.rules && rules.rules.map(_.size).sum == shape.predicates)
      assert(rules.rules.forall(_.size >= 2) && rules.asked.forall(_.nonEmpty))
    }
  }

  test("each rule of a topic asks for it, and topics ask different attributes most often") {
    val random = new SplittableRandom(6)
    val rules = SelectionRules.draw(RuleShape.Topics, SelectionStreams.topics(10, 4).domains, random)
    val byTopic = rules.rules.groupBy(_(0))
    assert(byTopic.keySet == (0 until 4).map(t => Compare(Comparison.Equal, t): Selection[Int]).toSet)
    val favourites = byTopic.values.map(_.flatMap(_.keys).filter(_ > 0).groupBy(identity).maxBy(_._2.size)._1)
    assert(favourites.toSet.size > 1)
  }

  test("the deviation is that of the share of the rules that can hold, over regions") {
    // Regions below, at and above 10, where one, none and none of two rules hold.
    val one = Map[Int, Selection[Int]](0 -> Compare(Comparison.Less, 10))
    val rules = new SelectionRules(RuleShape("", 2, 2, 1, 1.0), Vector(one, one))
    assert(math.abs(rules.deviation - math.sqrt(2.0 / 9)) < 1e-9)
  }

  test("ranges make regions differ") {
    val deviations = Seq(0.0, 0.5, 1.0).map { ranges =>
      SelectionRules.draw(RuleShape.Q4(ranges), Vector.fill(10)(100), new SplittableRandom(2)).deviation
    }
    assert(deviations == deviations.sorted && deviations.last > 3 * deviations.head)
  }

  test("streams are uniform, skewed, correlated and categorical as they say") {
    val random = new SplittableRandom(3)
    def rows(streams: SelectionStreams) = streams.rows(20000, new SplittableRandom(4))
    def share(rows: Array[Array[Int]])(of: Array[Int] => Boolean) = rows.count(of).toDouble / rows.length
    def low(row: Array[Int], a: Int) = row(a) < 50
    assert(math.abs(share(rows(SelectionStreams.uniform(3)))(low(_, 0)) - 0.5) < 0.02)
    for (a <- 0 until 3) {
      val lows = share(rows(SelectionStreams.skewed(3, random)))(low(_, a))
      // The cube root of a half.
      assert(math.abs(math.max(lows, 1 - lows) - 0.79) < 0.02)
    }
    // Independent attributes agree by chance.
    def together(data: Array[Array[Int]], a: Int, b: Int) = math.abs(
      share(data)(r => low(r, a) && low(r, b)) - share(data)(low(_, a)) * share(data)(low(_, b))
    )
    def most(streams: SelectionStreams) = {
      val data = rows(streams)
      (for (a <- 0 until 8; b <- 0 until a) yield together(data, a, b)).max
    }
    assert(most(SelectionStreams.skewed(8, random)) < 0.02)
    assert(most(SelectionStreams.correlated(8, random)) > 0.05)
    val streams = SelectionStreams.categorical(6, random)
    assert(streams.domains.forall(d => d >= 4 && d <= 60))
    assert(rows(streams).forall(_.zip(streams.domains).forall { case (v, d) => v >= 0 && v < d }))
  }

  test("all drop the same rows, no fixed sequence is better than the best, and monitors have a price") {
    val trial = SelectionTrial.run(RuleShape.Q1, SelectionStreams.skewed, small, 5)
    assert(trial.work.values.map(w => (w.rows, w.dropped)).toSet.size == 1)
    assert(trial.ratio(Worst, Best) > 1.1)
    // It is the best of a sample.
    for (name <- Seq(Macro, MacroPeriods, Tickets)) assert(trial.ratio(name, Best) > 0.98)
    for (name <- Seq(Tickets, Best, Worst))
      assert(trial.work(name).shadow == 0 && trial.work(name).arrows == 0)
    for (name <- Seq(Macro, Hybrid)) {
      // One row of ten is asked what its own sequence has not asked of it.
      val shadow = trial.work(name).shadow.toDouble / trial.work(name).rows
      assert(math.abs(shadow - (10 - trial.cost(name)) / 10) < 0.05)
    }
    assert(trial.work(MacroPeriods).shadow > 0 && trial.work(HybridPeriods).arrows > 0)
  }

  test("figures come with data, checks and progress, and counts are the same in every run") {
    def run() = {
      val steps = Seq.newBuilder[(Int, Int)]
      val report = SelectionLab.run(small, Set("6", "9"), (done, total, _) => steps += ((done, total)))
      (report, steps.result())
    }
    val (report, steps) = run()
    assert(report.figures.map(_.figure) == Seq("6", "9"))
    assert(report.checks.map(_.figure).toSet == Set("6", "9"))
    report.figures.foreach(_.series.foreach(s => assert(s.y.forall(_ >= 0.0))))
    assert(steps.map(_._1) == (0 to steps.last._2))
    assert(run()._1 == report)
  }
}
