package org.streamon.lab

import java.util.SplittableRandom

import org.streamon.core.selections._
import org.streamon.lab.baselines.selections.ExactSequences

import Experiment._
import SelectionContender._

/** A long stream in which parts of D1 and D2 take turns: Figure 9. */
private[lab] object SelectionDrift extends Experiment {
  val figures: Seq[String] = Seq("9")
  def steps(scale: Scale): Int = scale.seeds.size

  /** Thresholds: mu. The paper's are in its figure, which is lost. */
  private val thresholds = Seq(0.0, 0.05, 0.2)

  private val Parts = 3

  /** Of a part. */
  private val Bins = 30

  /** Rows of a part in which its best fixed sequence is found. */
  private val Sample = 1000

  /** A bin is back when its rows cost at most this many times those at the end of its part, with mu 0. */
  private val Back = 1.02

  private def named(threshold: Double) = s"$HybridPeriods, mu $threshold"
  private val byAsked = s"$Hybrid, by constructs asked"
  private val names = thresholds.map(named) :+ byAsked

  /** @param costs
    *   by name and bin, constructs for each row
    * @param searches
    *   by name
    * @param best
    *   by part, constructs for each row in its best fixed sequence
    * @param dropped
    *   by part, the share of the rows of which no rule holds
    */
  private final case class Found(
      costs: Map[String, Seq[Double]],
      searches: Map[String, Long],
      best: Seq[Double],
      dropped: Seq[Double]
  ) {

    /** Bins of a part, relative to its best fixed sequence. */
    private def relative(name: String, part: Int): Seq[Double] =
      costs(name).slice(part * Bins, (part + 1) * Bins).map(_ / best(part))

    private def afterChanges(of: Int => Double): Double = mean((1 until Parts).map(of))

    private def end(name: String, part: Int): Double = mean(relative(name, part).takeRight(Bins / 4))

    /** How much farther above the best the rows are right after a change than right before it. */
    def jump(name: String): Double =
      afterChanges(part => relative(name, part).head - relative(name, part - 1).last)

    /** Where they end. */
    def settled(name: String): Double = afterChanges(end(name, _))

    /** Share of a part until they are back. */
    def away(name: String): Double = afterChanges { part =>
      val bin = relative(name, part).indexWhere(_ <= Back * end(named(0.0), part))
      (if (bin < 0) Bins else bin).toDouble / Bins
    }
  }

  /** Rows of a part, and lambda: 80,000 as in the paper where the scale is full. */
  private def part(scale: Scale): Int = scale.timeline
  private def lambda(scale: Scale): Int = scale.timeline * 2 / 15

  private def measure(scale: Scale, seed: Long): Found = {
    val random = new SplittableRandom(seed)
    val n = RuleShape.Q1.attributes
    val data = Seq(SelectionStreams.uniform(n), SelectionStreams.skewed(n, random))
    val rules = SelectionRules.draw(RuleShape.Q1, data.head.domains, random)
    val all = contenders(rules, lambda(scale))
    val binned = for (k <- 0 until Parts) yield {
      val sampled = Vector.newBuilder[Array[Int]]
      val bins = Vector.fill(Bins) {
        val rows = data(k % data.size).rows(part(scale) / Bins, random).map(rules.regions(_))
        sampled ++= rows.grouped(math.max(part(scale) / Sample, 1)).map(_.head)
        all.map { c =>
          c.mark()
          c.feed(rows)
          c.since
        }
      }
      (sampled.result(), bins)
    }
    val bins = binned.flatMap(_._2)
    Found(
      all.indices.map(c => all(c).name -> bins.map(_(c).cost)).toMap,
      all.map(c => c.name -> c.searches).toMap,
      binned.map { case (sample, _) =>
        val exact = new ExactSequences(new SampledRegions(rules.size, rules.constructs, sample))
        exact.cost(exact.best).toDouble / sample.size
      },
      binned.map { case (_, own) => mean(own.map(b => b.head.dropped.toDouble / b.head.rows)) }
    )
  }

  private def contenders(rules: SelectionRules, lambda: Int): Seq[SelectionContender] = {
    val first = Sequence(rules.constructs.indices)
    thresholds.map { threshold =>
      new ByPeriods(named(threshold), rules, first, PeriodSettings(period = lambda, threshold = threshold))
    } :+ new ByLog(byAsked, rules, first, SequenceSettings(period = lambda))
  }

  def run(scale: Scale, step: String => Unit): Report = {
    val found = scale.seeds.map { seed =>
      step(s"Figure 9, seed $seed")
      measure(scale, seed)
    }
    def all(of: Found => Double) = mean(found.map(of))
    def each(of: (Found, String) => Double)(show: Double => String) =
      names.map(c => s"$c: ${show(all(of(_, c)))}").mkString(", ")
    def searches(threshold: Double) = found.map(_.searches(named(threshold)).toDouble)
    val dropped = found.map(_.dropped).transpose.map(mean).map(percent).mkString(", ")

    Report(
      Seq(
        Figure(
          "9",
          s"Cost while the rows change, by part ${Seq.tabulate(Parts)(k => s"D${k % 2 + 1}").mkString(", ")}",
          "rows",
          (1 to Parts * Bins).map(k => (part(scale).toLong * k / Bins).toString),
          names.map(c => Series(c, "constructs per row", found.map(_.costs(c)).transpose.map(mean))) :+
            Series(
              "SEQ best of each part",
              "constructs per row",
              found.map(_.best.flatMap(Seq.fill(Bins)(_))).transpose.map(mean)
            )
        )
      ),
      Seq(
        Check.positive(
          "9",
          "the cost, relative to SEQ best of the part, jumps at each change (mu 0)",
          found.map(_.jump(named(0.0))),
          s"by ${percent(all(_.jump(named(0.0))))}"
        ),
        Check.holds(
          "9",
          "and returns to at most 5% above it (mu 0)",
          all(_.settled(named(0.0))) <= 1.05,
          each(_.settled(_))(v => percent(v - 1)) + " above at the end of a part"
        )
      ) ++ thresholds.tail.flatMap { threshold =>
        Seq(
          Check.positive(
            "9",
            s"it returns sooner with mu 0 than with mu $threshold",
            found.map(f => f.away(named(threshold)) - f.away(named(0.0))),
            each(_.away(_))(percent) + s" of a part; rows that match nothing by part: $dropped"
          ),
          Check.positive(
            "9",
            s"mu 0 takes more searches than mu $threshold",
            differences(searches(0.0), searches(threshold)),
            f"${mean(searches(0.0))}%.1f against ${mean(searches(threshold))}%.1f"
          )
        )
      } :+ Check.positive(
        "9",
        s"it returns sooner where it is watched how many constructs are asked than with mu ${thresholds.last} (ours)",
        found.map(f => f.away(named(thresholds.last)) - f.away(byAsked)),
        f"${percent(all(_.away(byAsked)))} of a part, with ${all(_.searches(byAsked).toDouble)}%.1f changes of sequence"
      )
    )
  }
}
