package org.streamon.lab

import Experiment._
import SelectionContender._

/** The cost of each way of ordering the constructs, on uniform, skewed and categorical rows: Figure 6. */
private[lab] object SelectionCosts extends Experiment {
  val figures: Seq[String] = Seq("6")
  def steps(scale: Scale): Int = sets.size * scale.seeds.size

  private val Ours = "Q1 by topic (ours)"

  private val sets: Seq[(String, RuleShape, SelectionTrial.Streams)] = Seq(
    ("Q1 on D1", RuleShape.Q1, (n, _) => SelectionStreams.uniform(n)),
    ("Q1 on D2", RuleShape.Q1, SelectionStreams.skewed),
    ("Q1 on D2 correlated", RuleShape.Q1, SelectionStreams.correlated),
    ("Q2 on the D3 stand-in", RuleShape.Q2, SelectionStreams.categorical),
    (Ours, RuleShape.Topics, (n, _) => SelectionStreams.topics(n, RuleShape.Topics.topics))
  )

  /** How near to the best fixed sequence is near; the paper gives no number. */
  private val Near = 0.05

  /** Share of the rows that are to match nothing: in others the order means little. */
  private val Most = 0.8

  private val learned = Seq(Macro, Hybrid, MacroPeriods, HybridPeriods)

  def run(scale: Scale, step: String => Unit): Report = {
    val found = sets.map { case (name, shape, make) =>
      name -> scale.seeds.map { seed =>
        step(s"Figure 6, $name, seed $seed")
        SelectionTrial.run(shape, make, scale, seed)
      }
    }
    val papers = found.filter(_._1 != Ours)
    def series(name: String, unit: String)(of: SelectionTrial => Double) =
      Series(name, unit, found.map { case (_, trials) => mean(trials.map(of)) })
    Report(
      Seq(
        Figure(
          "6",
          "Cost of evaluating the rules",
          "rules and rows",
          found.map(_._1),
          (Seq(Tickets, Worst, Best) ++ learned).map(c => series(c, "constructs per row")(_.cost(c))) ++
            learned.map(c =>
              series(s"$c: shadow", "constructs per row")(t => t.work(c).shadow.toDouble / t.work(c).rows)
            ) ++ Seq(
              series("grouped filters in SEQ best", "predicates per row")(_.predicates),
              series("rows that match nothing", "share")(_.dropped),
              series("standard deviation", "share of the rules")(_.deviation)
            )
        )
      ),
      learned.map(c =>
        everywhere(
          "6",
          s"'$c' costs less than ticket routing",
          papers.map { case (name, trials) => name -> trials.map(t => 1 - t.ratio(c, Tickets)) }
        )
      ) ++ learned.map { c =>
        val above = papers.map { case (name, trials) => name -> (mean(trials.map(_.ratio(c, Best))) - 1) }
        Check.holds(
          "6",
          s"'$c' is near SEQ best (at most ${percent(Near)} above it)",
          above.forall(_._2 <= Near),
          above.map { case (name, share) => s"$name: ${percent(share)} above" }.mkString(", ")
        )
      } ++ (for ((name, trials) <- found.tail; c <- Seq(Hybrid, HybridPeriods))
        yield below(c, name, trials)) :+
        Check.holds(
          "6",
          s"most rows match nothing, at least ${percent(Most)} (ours)",
          papers.forall { case (_, trials) => mean(trials.map(_.dropped)) >= Most },
          found
            .map { case (name, trials) => s"$name: ${percent(mean(trials.map(_.dropped)))}" }
            .mkString(", ")
        )
    )
  }

  private def below(name: String, where: String, trials: Seq[SelectionTrial]): Check = {
    val less = trials.map(t => 1 - t.ratio(name, Best))
    Check.positive("6", s"on $where '$name' costs less than SEQ best", less, s"${percent(mean(less))} less")
  }
}
