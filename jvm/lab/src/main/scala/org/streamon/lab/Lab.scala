package org.streamon.lab

/** The experiments of one part of a paper. */
private[lab] trait Lab {

  /** As the command line names it. */
  def name: String

  def experiments: Seq[Experiment]

  /** All figures and tables, as `--only` names them. */
  final def figures: Seq[String] = experiments.flatMap(_.figures)

  /** Runs the experiments that make any of the figures wanted; those that come along in the same experiment
    * are left out of the report.
    *
    * @param progress
    *   called as each step begins, with the steps done, the steps in all and what begins
    */
  final def run(scale: Scale, wanted: Set[String], progress: (Int, Int, String) => Unit): Report = {
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

private[lab] object Lab {
  val all: Seq[Lab] = Seq(FilterLab, JoinLab, CachingLab, ConstraintLab, RouteLab, SelectionLab)
}
