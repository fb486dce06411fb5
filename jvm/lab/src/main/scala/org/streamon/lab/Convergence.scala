package org.streamon.lab

import Experiment._

/** A-Greedy against Independent on stable streams: Figures 4.11 to 4.14. */
private[lab] object Convergence {

  private def compare(
      points: Seq[CorrelatedFilters],
      labels: Seq[String],
      algorithms: Seq[String],
      scale: Scale,
      step: String => Unit
  ): Map[String, Seq[Seq[Counts]]] =
    points
      .zip(labels)
      .map { case (filters, label) =>
        step(label)
        algorithms.map(a => a -> converged(_ => filters, a, Contender.defaultProbability(a), scale)).toMap
      }
      .flatten
      .groupMap(_._1)(_._2)

  object NumberOfFilters extends Experiment {
    private val sizes = Seq(2, 3, 4, 6, 8, 10, 12)
    val figures: Seq[String] = Seq("4.11")
    def steps(scale: Scale): Int = sizes.size

    def run(scale: Scale, step: String => Unit): Report = {
      val algorithms = Seq("a-greedy", "independent", Contender.Optimal)
      val models = sizes.map(CorrelatedFilters.uniform(_, gamma = 2, selectivity = 0.5))
      val labels = sizes.map(n => s"n=$n")
      val found = compare(models, labels.map("Figure 4.11, " + _), algorithms, scale, step)
      val gap = found("a-greedy").zip(found("independent")).map { case (a, i) => advantage(a, i) }
      val behind = found("a-greedy").zip(found(Contender.Optimal)).map { case (a, o) =>
        advantage(a, o).map(-_)
      }
      val below = found("a-greedy").map(points => mean(points.map(_.overheadShare)))
      Report(
        Seq(
          Figure(
            "4.11",
            "Effect of the number of filters under convergence",
            "filters",
            sizes.map(_.toString),
            algorithms.flatMap(a => curves(a, found(a)))
          )
        ),
        Seq(
          everywhere(
            "4.11",
            "A-Greedy is above Independent for every n",
            labels.zip(gap)
          ),
          Check.positive(
            "4.11",
            "the gap between A-Greedy and Independent is larger at n = 12 than at n = 2",
            differences(gap.last, gap.head),
            s"${percent(mean(gap.head))} at n=${sizes.head}, ${percent(mean(gap.last))} at n=${sizes.last}"
          ),
          Check.holds(
            "4.11",
            "A-Greedy is near Optimal (within 5%) for n up to 4",
            sizes.zip(behind).filter(_._1 <= 4).forall(b => mean(b._2) <= 0.05),
            labels.zip(behind).take(3).map { case (l, b) => s"$l: ${percent(mean(b))}" }.mkString(", ")
          ),
          Check.positive(
            "4.11",
            "A-Greedy is further behind Optimal at n = 12 than at n = 3",
            differences(behind.last, behind(1)),
            s"${percent(mean(behind(1)))} at n=3, ${percent(mean(behind.last))} at n=${sizes.last}; of which " +
              s"profiling ${percent(below(1))} and ${percent(below.last)}"
          )
        )
      )
    }
  }

  object Selectivity extends Experiment {
    private val selectivities = (1 to 9).map(_ / 10.0)
    val figures: Seq[String] = Seq("4.12")
    def steps(scale: Scale): Int = selectivities.size

    def run(scale: Scale, step: String => Unit): Report = {
      val algorithms = Seq("a-greedy", "independent")
      val models = selectivities.map(CorrelatedFilters.uniform(8, gamma = 2, _))
      val labels = selectivities.map(s => s"selectivity $s")
      val found = compare(models, labels.map("Figure 4.12, " + _), algorithms, scale, step)
      val gap = found("a-greedy").zip(found("independent")).map { case (a, i) => advantage(a, i) }
      val best = gap.indices.maxBy(k => mean(gap(k)))
      val middle = gap(selectivities.indexOf(0.5))
      val all = labels.zip(gap).map { case (l, g) => s"$l: ${percent(mean(g))}" }.mkString(", ")
      Report(
        Seq(
          Figure(
            "4.12",
            "Effect of selectivity under convergence (n = 8; the thesis does not give n)",
            "selectivity",
            selectivities.map(_.toString),
            algorithms.flatMap(a => curves(a, found(a)))
          )
        ),
        Seq(
          Check.holds(
            "4.12",
            "A-Greedy's advantage over Independent is largest at an intermediate selectivity (0.3 to 0.7)",
            selectivities(best) >= 0.3 && selectivities(best) <= 0.7,
            all
          ),
          Check.positive(
            "4.12",
            "the advantage is smaller at low selectivity, where the first filter decides",
            differences(middle, gap.head),
            s"${percent(mean(middle))} at 0.5 against ${percent(mean(gap.head))}"
          ),
          Check.positive(
            "4.12",
            "the advantage is smaller at high selectivity, where little is dropped",
            differences(middle, gap.last),
            s"${percent(mean(middle))} at 0.5 against ${percent(mean(gap.last))}"
          )
        )
      )
    }
  }

  final class Correlation(figure: String, n: Int) extends Experiment {
    private val gammas = 1 to n
    val figures: Seq[String] = Seq(figure)
    def steps(scale: Scale): Int = gammas.size

    def run(scale: Scale, step: String => Unit): Report = {
      val algorithms = Seq("a-greedy", "independent")
      val models = gammas.map(CorrelatedFilters.uniform(n, _, selectivity = 0.5))
      val labels = gammas.map(g => s"Gamma=$g")
      val found = compare(models, labels.map(s"Figure $figure, " + _), algorithms, scale, step)
      val gap = found("a-greedy").zip(found("independent")).map { case (a, i) => advantage(a, i) }
      val best = gap.indices.init.maxBy(k => mean(gap(k)))
      val all = labels.zip(gap).map { case (l, g) => s"$l: ${percent(mean(g))}" }.mkString(", ")
      Report(
        Seq(
          Figure(
            figure,
            s"Effect of correlation under convergence for n = $n filters",
            "correlation factor",
            gammas.map(_.toString),
            algorithms.flatMap(a => curves(a, found(a)))
          )
        ),
        Seq(
          Check.positive(
            figure,
            "the advantage of A-Greedy rises at first as filters become more correlated",
            differences(gap(math.max(best, 1)), gap.head),
            all
          ),
          Check.positive(
            figure,
            "the advantage shrinks as Gamma nears n",
            differences(gap(best), gap.last),
            all
          )
        )
      )
    }
  }
}
