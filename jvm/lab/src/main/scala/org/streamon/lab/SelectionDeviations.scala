package org.streamon.lab

import Experiment._
import SelectionContender._

/** What micro-arrows are worth by how much the regions of a construct differ: Figure 8. The more predicates
  * are ranges, the more they differ.
  */
private[lab] object SelectionDeviations extends Experiment {
  val figures: Seq[String] = Seq("8")
  def steps(scale: Scale): Int = ranges.size * scale.seeds.size

  private val ranges = Seq(0.0, 0.25, 0.5, 0.75, 1.0)
  private val pairs = Seq(Macro -> Hybrid, MacroPeriods -> HybridPeriods)

  def run(scale: Scale, step: String => Unit): Report = {
    val found = ranges.map(share =>
      scale.seeds.map { seed =>
        step(s"Figure 8, ranges $share, seed $seed")
        SelectionTrial.run(RuleShape.Q4(share), (n, _) => SelectionStreams.uniform(n), scale, seed)
      }
    )
    val x = found.map(trials => f"${mean(trials.map(_.deviation))}%.3f")
    def series(name: String, unit: String)(of: SelectionTrial => Double) =
      Series(name, unit, found.map(trials => mean(trials.map(of))))
    def micro(hybrid: String)(trial: SelectionTrial) = trial.work(hybrid).microRatio

    def moves(claim: String, of: SelectionTrial => Double, sign: Int) = Check.positive(
      "8",
      claim,
      differences(found.last.map(of), found.head.map(of)).map(_ * sign),
      x.zip(found).map { case (dev, trials) => f"$dev: ${mean(trials.map(of))}%.3f" }.mkString(", ")
    )
    Report(
      Seq(
        Figure(
          "8",
          "Micro-arrows by the standard deviation of the rules",
          "standard deviation",
          x,
          pairs.flatMap { case (order, hybrid) =>
            Seq(
              series(s"$hybrid: micro ratio", "share")(micro(hybrid)),
              series(s"$hybrid: cost relative to '$order'", "ratio")(_.ratio(hybrid, order)),
              series(hybrid, "constructs per row")(_.cost(hybrid))
            )
          } ++ Seq(
            series(Best, "constructs per row")(_.cost(Best)),
            series("rows that match nothing", "share")(_.dropped)
          )
        )
      ),
      pairs.flatMap { case (order, hybrid) =>
        Seq(
          moves(s"the micro ratio of '$hybrid' rises with the deviation", micro(hybrid), 1),
          moves(s"the cost of '$hybrid' relative to '$order' falls with it", _.ratio(hybrid, order), -1)
        )
      }
    )
  }
}
