package org.streamon.core.lab

/** The experiments of the thesis's Chapter 4. */
object FilterLab {

  val experiments: Seq[Experiment] = Seq(
    Convergence.NumberOfFilters,
    Convergence.Selectivity,
    new Convergence.Correlation("4.13", 3),
    new Convergence.Correlation("4.14", 8),
    Breakdown,
    Overhead.AllAlgorithms,
    Overhead.FilterCosts,
    Timeline,
    RateOfChange.Periods,
    new RateOfChange.Costs("4.23", _ => 100000, frequent = true),
    new RateOfChange.Costs("4.24", _.periods.last, frequent = false)
  )

  /** All figures and tables, as `--only` names them. */
  val figures: Seq[String] = experiments.flatMap(_.figures)

  /** Runs the experiments that make any of the figures wanted; those that come along in the same experiment
    * are left out of the report.
    *
    * @param progress
    *   called as each step begins, with the steps done, the steps in all and what begins
    */
  def run(scale: Scale, wanted: Set[String], progress: (Int, Int, String) => Unit): Report = {
    val chosen = experiments.filter(_.figures.exists(wanted))
    val total = chosen.map(_.steps(scale)).sum
    var done = 0
    val whole = chosen.map { experiment =>
      experiment.run(
        scale,
        label => {
          progress(done, total, label)
          done += 1
        }
      )
    }
    progress(total, total, "done")
    val report = whole.foldLeft(Report(Nil, Nil))(_ ++ _)
    Report(report.figures.filter(f => wanted(f.figure)), report.checks.filter(c => wanted(c.figure)))
  }
}
