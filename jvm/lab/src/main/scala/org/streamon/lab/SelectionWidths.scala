package org.streamon.lab

import Experiment._
import SelectionContender._

/** The cost by the number of attributes that rules ask: Figure 7. */
private[lab] object SelectionWidths extends Experiment {
  val figures: Seq[String] = Seq("7")
  def steps(scale: Scale): Int = data.size * RuleShape.Q3.size * scale.seeds.size

  private val data: Seq[(String, SelectionTrial.Streams)] =
    Seq("D2" -> SelectionStreams.skewed, "D2 correlated" -> SelectionStreams.correlated)
  private val shown = Seq(Tickets, Worst, Best, Macro, Hybrid, MacroPeriods, HybridPeriods)
  private val gaps = Seq(Worst -> Best, Tickets -> Macro, Tickets -> Hybrid, Tickets -> HybridPeriods)

  def run(scale: Scale, step: String => Unit): Report =
    data
      .map { case (name, make) =>
        report(
          name,
          RuleShape.Q3.map(shape =>
            scale.seeds.map { seed =>
              step(s"Figure 7, ${shape.name} on $name, seed $seed")
              SelectionTrial.run(shape, make, scale, seed)
            }
          )
        )
      }
      .reduce(_ ++ _)

  /** @param found
    *   by set of rules and seed
    */
  private def report(data: String, found: Seq[Seq[SelectionTrial]]): Report = {
    def series(name: String, unit: String)(of: SelectionTrial => Double) =
      Series(name, unit, found.map(trials => mean(trials.map(of))))
    val shapes = RuleShape.Q3
    Report(
      Seq(
        Figure(
          "7",
          s"Cost by the number of attributes, $data",
          "attributes",
          shapes.map(_.attributes.toString),
          shown.map(c => series(c, "constructs per row")(_.cost(c))) ++ Seq(
            series("rows that match nothing", "share")(_.dropped),
            series("standard deviation", "share of the rules")(_.deviation)
          )
        )
      ),
      gaps.map { case (dear, cheap) =>
        def gap(trials: Seq[SelectionTrial]) = trials.map(t => t.cost(dear) - t.cost(cheap))
        Check.positive(
          "7",
          s"on $data the gap between '$dear' and '$cheap' is wider at 15 attributes than at 6",
          differences(gap(found.last), gap(found.head)),
          shapes
            .zip(found)
            .map { case (s, trials) => f"${s.attributes}: ${mean(gap(trials))}%.2f" }
            .mkString(", ") + " constructs per row"
        )
      } ++ Seq(Hybrid, HybridPeriods).map(c =>
        everywhere(
          "7",
          s"on $data '$c' costs less than SEQ best",
          shapes.zip(found).map { case (s, trials) => s.name -> trials.map(t => 1 - t.ratio(c, Best)) }
        )
      )
    )
  }
}
