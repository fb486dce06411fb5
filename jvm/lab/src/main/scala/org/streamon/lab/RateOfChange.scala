package org.streamon.lab

import java.util.SplittableRandom
import Experiment._

/** Total work when selectivities are permuted every x tuples: Figures 4.22 to 4.24. Eight filters, four of
  * cost 1 and four of cost c.
  */
private[lab] object RateOfChange {
  private val selectivities = Array(0.2, 0.4, 0.6, 0.8)

  /** Work over the whole of a changing stream, for each seed. */
  private def changing(
      algorithm: String,
      p: Double,
      c: Int,
      period: Int,
      tuples: Int,
      scale: Scale
  ): Seq[Counts] =
    scale.seeds.map { seed =>
      val random = new SplittableRandom(seed)
      val costs = Array(1, 1, 1, 1, c, c, c, c)
      var filters = CorrelatedFilters.grouped(8, 2, selectivities, costs).permuted(random)
      val contender = Contender(algorithm, p, filters, seed)
      contender.mark()
      for (_ <- 0 until tuples / period) {
        contender.feed(StreamTuple.pool(filters, math.min(scale.pool, period), random), period)
        filters = filters.permuted(random)
      }
      contender.since
    }

  private def ratio(a: Seq[Counts], b: Seq[Counts]): Seq[Double] =
    a.zip(b).map { case (x, y) => x.work / y.work }

  object Periods extends Experiment {
    private val algorithms = Seq("a-greedy", "independent", "sweep", "local-swaps")
    val figures: Seq[String] = Seq("4.22")
    def steps(scale: Scale): Int = scale.periods.size

    def run(scale: Scale, step: String => Unit): Report = {
      val tuples = scale.periods.last * scale.rounds
      val found = scale.periods
        .map { x =>
          step(s"Figure 4.22, x=$x")
          algorithms.map(a => a -> changing(a, Contender.defaultProbability(a), 10, x, tuples, scale)).toMap
        }
        .flatten
        .groupMap(_._1)(_._2)
      val labels = scale.periods.map(x => s"x=$x")
      def lead(a: String, b: String) = found(a).zip(found(b)).map { case (x, y) => advantage(x, y) }
      def ahead(a: String, b: String) = {
        val leads = lead(a, b)
        val fastest = scale.periods.indices.filter(scale.periods(_) <= 100000)
        everywhere(
          "4.22",
          s"$a is ahead of $b when change is fast (x up to 100,000)",
          fastest.map(k => labels(k) -> leads(k))
        )
      }
      val greedyLead = lead("a-greedy", "sweep")
      Report(
        Seq(
          Figure(
            "4.22",
            "Varying the rate of change (four filters of cost 10)",
            "tuples between changes",
            scale.periods.map(_.toString),
            algorithms.flatMap(a => curves(a, found(a)))
          )
        ),
        Seq(
          ahead("a-greedy", "sweep"),
          ahead("a-greedy", "local-swaps"),
          ahead("independent", "sweep"),
          Check.positive(
            "4.22",
            "A-Greedy's advantage over Sweep fades as changes become rare",
            differences(greedyLead.head, greedyLead.last),
            labels.zip(greedyLead).map { case (l, g) => s"$l: ${percent(mean(g))}" }.mkString(", ")
          )
        )
      )
    }
  }

  /** A-Greedy against Sweep over the cost of the expensive filters, at one period. */
  final class Costs(figure: String, period: Scale => Int, frequent: Boolean) extends Experiment {
    // The other probability that the thesis uses; it gives none for these figures.
    private val often = 0.05
    private val costs = Seq(1, 10, 50, 100)
    val figures: Seq[String] = Seq(figure)
    def steps(scale: Scale): Int = costs.size + 1

    def run(scale: Scale, step: String => Unit): Report = {
      val x = period(scale)
      val tuples = math.max(scale.periods.last, x * 5)
      val algorithms = Seq("a-greedy", "sweep")
      step(s"Figure $figure, c=${costs.last}, p=$often")
      def dearest(a: String) = changing(a, often, costs.last, x, tuples, scale)
      val oftener = ratio(dearest("sweep"), dearest("a-greedy"))
      val found = costs
        .map { c =>
          step(s"Figure $figure, c=$c")
          algorithms.map(a => a -> changing(a, Contender.defaultProbability(a), c, x, tuples, scale)).toMap
        }
        .flatten
        .groupMap(_._1)(_._2)
      val relative = found("sweep").zip(found("a-greedy")).map { case (s, a) => ratio(s, a) }
      val all = costs.zip(relative).map { case (c, r) => f"c=$c: ${mean(r)}%.3f" }.mkString(", ") +
        f"; at p = $often, c=${costs.last}: ${mean(oftener)}%.3f"
      val labels = costs.map(c => s"c=$c")
      val leads = labels.zip(relative.map(_.map(_ - 1)))
      val checks =
        if (frequent)
          Seq(
            everywhere(figure, s"A-Greedy stays ahead of Sweep at x = $x", leads),
            Check.positive(
              figure,
              "its lead grows with the cost of the expensive filters",
              differences(relative.last, relative.head),
              s"Sweep's work over A-Greedy's: $all"
            )
          )
        else
          Seq(
            Check.positive(
              figure,
              "Sweep gains on A-Greedy as cost rises",
              differences(relative.head, relative.last),
              s"Sweep's work over A-Greedy's: $all"
            ),
            Check.positive(
              figure,
              "Sweep beats A-Greedy at the highest cost",
              relative.last.map(1 - _),
              s"Sweep's work over A-Greedy's: $all"
            )
          )
      Report(
        Seq(
          Figure(
            figure,
            s"Varying filter cost at x = $x",
            "cost of the expensive filters, in probes",
            costs.map(_.toString),
            algorithms.flatMap(a => curves(a, found(a)))
          )
        ),
        checks
      )
    }
  }
}
