package org.streamon.lab

import java.util.SplittableRandom
import Experiment._

/** What profiling costs: Figures 4.15 to 4.18. */
private[lab] object Overhead {
  private val algorithms = Seq(Contender.Optimal, "a-greedy", "sweep", "independent", "local-swaps")

  /** The probability of these figures: given for Figure 4.15, taken for 4.17 as well. */
  private val probability = 0.05

  private def breakdown(found: Map[String, Seq[Seq[Counts]]]): Seq[Series] =
    algorithms.flatMap(a =>
      Seq(
        Series(s"$a: in turn", "probes per tuple", found(a).map(p => mean(p.map(_.processing)))),
        Series(s"$a: for the profile", "probes per tuple", found(a).map(p => mean(p.map(_.overhead))))
      )
    )

  private def compare(
      points: Seq[(String, Long => CorrelatedFilters)],
      scale: Scale,
      step: String => Unit
  ): Map[String, Seq[Seq[Counts]]] =
    points
      .map { case (label, filters) =>
        step(label)
        algorithms.map(a => a -> converged(filters, a, probability, scale)).toMap
      }
      .flatten
      .groupMap(_._1)(_._2)

  object AllAlgorithms extends Experiment {
    private val sizes = Seq(3, 4, 6, 8, 10, 12)
    val figures: Seq[String] = Seq("4.15", "4.16")
    def steps(scale: Scale): Int = sizes.size

    def run(scale: Scale, step: String => Unit): Report = {
      val labels = sizes.map(n => s"n=$n")
      val points = sizes.map { n =>
        val filters = CorrelatedFilters.uniform(n, gamma = 2, selectivity = 0.5)
        (s"Figures 4.15 and 4.16, n=$n", (_: Long) => filters)
      }
      val found = compare(points, scale, step)
      def lead(a: String) =
        found(a).zip(found("a-greedy")).map { case (own, greedy) => advantage(own, greedy) }
      def processing(a: String) =
        found(a).zip(found(Contender.Optimal)).map { case (own, best) =>
          mean(own.map(_.processing)) / mean(best.map(_.processing)) - 1
        }
      val alike = Seq("a-greedy", "sweep", "local-swaps").map(a => a -> processing(a))
      val gains = Seq("sweep", "local-swaps").flatMap { a =>
        val leads = lead(a)
        Seq(
          everywhere(
            "4.15",
            s"$a is faster than A-Greedy at p = 0.05",
            labels.zip(leads)
          ),
          Check.positive(
            "4.15",
            s"the lead of $a over A-Greedy grows with n",
            differences(leads.last, leads.head),
            s"${percent(mean(leads.head))} at n=${sizes.head}, ${percent(mean(leads.last))} at n=${sizes.last}"
          )
        )
      }
      Report(
        Seq(
          Figure(
            "4.15",
            "Performance of all algorithms (p = 0.05)",
            "filters",
            sizes.map(_.toString),
            algorithms.flatMap(a => curves(a, found(a)))
          ),
          Figure(
            "4.16",
            "Breakdown for Figure 4.15",
            "filters",
            sizes.map(_.toString),
            breakdown(found)
          )
        ),
        gains :+ Check.holds(
          "4.16",
          "processing alone is alike (within 5%) for Optimal, A-Greedy, Sweep and LocalSwaps",
          alike.forall(_._2.forall(_ <= 0.05)),
          alike
            .map { case (a, excess) => s"$a: at most ${percent(excess.max)} above Optimal" }
            .mkString(", ")
        )
      )
    }
  }

  object FilterCosts extends Experiment {
    private val costs = Seq(1, 10, 50, 100)
    val figures: Seq[String] = Seq("4.17", "4.18")
    def steps(scale: Scale): Int = costs.size

    /** Four filters of cost 1 and four of cost c; which of them are correlated is random. */
    def filters(c: Int)(seed: Long): CorrelatedFilters = {
      val costs = Array(1, 1, 1, 1, c, c, c, c)
      CorrelatedFilters.grouped(8, 2, Array.fill(4)(0.5), costs).permuted(new SplittableRandom(seed))
    }

    def run(scale: Scale, step: String => Unit): Report = {
      val found = compare(costs.map(c => (s"Figures 4.17 and 4.18, c=$c", filters(c) _)), scale, step)
      def at(a: String, c: Int) = found(a)(costs.indexOf(c))
      def share(c: Int) = at("a-greedy", c).map(_.overheadShare)
      val byDefault = converged(filters(100), "a-greedy", Contender.defaultProbability("a-greedy"), scale)
      def lead(a: String, b: String, cs: Seq[Int]) = cs.map(c => s"c=$c" -> advantage(at(a, c), at(b, c)))
      Report(
        Seq(
          Figure(
            "4.17",
            "Effect of varying filter costs",
            "cost of the expensive filters, in probes",
            costs.map(_.toString),
            algorithms.flatMap(a => curves(a, found(a)))
          ),
          Figure(
            "4.18",
            "Breakdown for Figure 4.17",
            "cost of the expensive filters, in probes",
            costs.map(_.toString),
            breakdown(found)
          )
        ),
        Seq(
          Check.holds(
            "4.18",
            "A-Greedy's overhead is about 25% (20 to 30) at c = 100",
            mean(share(100)) >= 0.2 && mean(share(100)) <= 0.3,
            s"${percent(mean(share(100)))} of all probes at p = 0.05, " +
              s"${percent(mean(byDefault.map(_.overheadShare)))} at p = 0.01"
          ),
          Check.positive(
            "4.18",
            "A-Greedy's overhead is a larger share with expensive filters than with uniform costs",
            differences(share(100), share(1)),
            s"${percent(mean(share(1)))} at c=1, ${percent(mean(share(100)))} at c=100"
          ),
          everywhere(
            "4.17",
            "Sweep is faster than A-Greedy",
            lead("sweep", "a-greedy", costs)
          ),
          everywhere(
            "4.17",
            "LocalSwaps is faster than A-Greedy",
            lead("local-swaps", "a-greedy", costs)
          ),
          everywhere(
            "4.17",
            "Sweep beats LocalSwaps at c = 50 and c = 100",
            lead("sweep", "local-swaps", Seq(50, 100))
          ),
          everywhere(
            "4.18",
            "LocalSwaps misses the best order by more than 2% at c = 50 and c = 100",
            Seq(50, 100).map(c =>
              s"c=$c" -> at("local-swaps", c).zip(at(Contender.Optimal, c)).map { case (own, best) =>
                own.processing / best.processing - 1.02
              }
            )
          ),
          Check.positive(
            "4.18",
            "LocalSwaps' overhead is slightly lower than Sweep's",
            differences(at("sweep", 100).map(_.overhead), at("local-swaps", 100).map(_.overhead)),
            f"${mean(at("sweep", 100).map(_.overhead))}%.3f against " +
              f"${mean(at("local-swaps", 100).map(_.overhead))}%.3f probes per tuple at c=100"
          )
        )
      )
    }
  }
}
