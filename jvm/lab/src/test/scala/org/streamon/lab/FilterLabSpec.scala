package org.streamon.lab

import org.scalatest.funsuite.AnyFunSuite

class FilterLabSpec extends AnyFunSuite {

  private val small = Scale.quick.copy(seeds = Seq(1L, 2L), warm = 50000, measured = 20000, timeline = 20000)

  private def run(wanted: String*): (Report, Seq[(Int, Int, String)]) = {
    val steps = Seq.newBuilder[(Int, Int, String)]
    val report = FilterLab.run(small, wanted.toSet, (done, total, label) => steps += ((done, total, label)))
    (report, steps.result())
  }

  test("every figure and table from 4.11 to 4.24 belongs to one experiment") {
    assert(FilterLab.figures == FilterLab.figures.distinct)
    assert(FilterLab.figures.toSet == (11 to 24).map("4." + _).toSet + "T4.2")
  }

  test("a figure comes with its data, its checks and progress from 0 to the end") {
    val (report, steps) = run("4.14", "4.20")
    assert(report.figures.map(_.figure) == Seq("4.14", "4.20"))
    assert(report.checks.map(_.figure).toSet == Set("4.14", "4.20"))
    report.figures.foreach(f => f.series.foreach(s => assert(s.y.length == f.x.length)))
    assert(report.figures.flatMap(_.series).forall(_.y.forall(_ > 0)))
    val verdicts = Set(Check.Reproduced, Check.NotReproduced, Check.Undecided)
    report.checks.foreach { c =>
      assert(verdicts(c.verdict) && c.found.nonEmpty)
    }
    assert(steps.map(_._1) == (0 to steps.last._2) && steps.forall(_._2 == steps.last._2))
  }

  test("on correlated filters A-Greedy works less than Independent, and no less than Optimal") {
    val filters = CorrelatedFilters.grouped(4, 2, Array(0.5, 0.6), Array.fill(4)(1))
    def work(algorithm: String) =
      Experiment
        .converged(_ => filters, algorithm, Contender.defaultProbability(algorithm), Scale.quick)
        .map(_.work)
    val (greedy, independent, optimal) = (work("a-greedy"), work("independent"), work(Contender.Optimal))
    greedy.indices.foreach { k =>
      assert(greedy(k) < independent(k))
      assert(optimal(k) <= greedy(k))
    }
  }

  test("counts are the same in every run") {
    val filters = CorrelatedFilters.uniform(4, 2, 0.5)
    def counts() = Experiment.converged(_ => filters, "sweep", 0.05, small).map(_.copy(cpuNanos = 0))
    assert(counts() == counts())
  }

  test("profiles cost a share that grows with the number of filters, as in Table 4.2") {
    def share(n: Int) = Experiment.mean(
      Experiment
        .converged(_ => CorrelatedFilters.uniform(n, 2, 0.5), "a-greedy", 0.05, small)
        .map(_.overheadShare)
    )
    assert(share(3) > 0.0 && share(8) > 2 * share(3))
  }

  test("a check is decided only when the mean is two standard errors from 0") {
    def verdict(measured: Double*) = Check.positive("f", "c", measured, "").verdict
    assert(verdict(1.0, 1.1, 0.9) == Check.Reproduced)
    assert(verdict(-1.0, -1.1, -0.9) == Check.NotReproduced)
    assert(verdict(3.0, -2.0, 0.5) == Check.Undecided)
  }

  test("JSON escapes text and has null for what is no number") {
    val json = Report(
      Seq(Figure("4.1", "a \"b\"\n", "x", Seq("1"), Seq(Series("s\\", "u", Seq(Double.NaN))))),
      Nil
    ).json
    assert(
      json == """{"figures":[{"figure":"4.1","title":"a \"b\"\n","x_label":"x","x":["1"],""" +
        """"series":[{"name":"s\\","unit":"u","y":[null]}]}],"checks":[]}"""
    )
  }
}
