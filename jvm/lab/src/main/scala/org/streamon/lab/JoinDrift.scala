package org.streamon.lab

import java.util.SplittableRandom
import org.streamon.core.joins.{Equality, JoinGraph}
import Experiment._

/** Five streams joined on one attribute, of which each covers a share of the values; half-way the shares are
  * dealt out the other way round. Not an experiment of the thesis, whose Figure 5.22 changes a rate and
  * adapts caches: it shows what an order that adapts is worth when the best one changes.
  */
private[lab] object JoinDrift extends Experiment {
  val figures: Seq[String] = Seq("drift")
  def steps(scale: Scale): Int = scale.seeds.size

  private val window = 100
  private val values = 100
  private val shares = Vector(0.1, 0.3, 0.5, 0.7, 0.9)
  private val graph = new JoinGraph(5, (1 until 5).map(i => Equality(0, 0, i, 0)))

  private val probabilities = Seq(0.01, 0.05)

  /** Look-ups for each element.
    *
    * @param adaptive
    *   by drop-profiling probability
    * @param best
    *   and `worst`: the orders, of each input, that are best and worst over the whole run in hindsight
    * @param oracle
    *   the best orders of each half
    */
  private case class Found(adaptive: Seq[Double], best: Double, worst: Double, oracle: Double)

  private def measure(scale: Scale, seed: Long): Found = {
    val random = new SplittableRandom(seed)
    val offsets = shares.map(_ => random.nextInt(values))
    val streams = new JoinStreams(shares.map(_ => 1.0), window, random)
    val halves = Seq(shares, shares.reverse).map { covered =>
      streams.elements(
        scale.arrivals,
        (input, random) => (offsets(input) + random.nextInt((covered(input) * values).toInt)) % values
      )
    }
    val elements = halves.map(_.length).sum
    val adaptive = probabilities.map { p =>
      val plan = new JoinPlans.Adaptive(graph, p, seed)
      halves.foreach(plan.feed)
      plan.work
    }
    // By order, half and input.
    val fixed = (0 until JoinPlans.orders(graph)).map(JoinPlans.fixed(graph, _, halves))
    def whole(choose: Seq[Long] => Long) =
      fixed.map(_.transpose.map(_.sum)).transpose.map(choose).sum.toDouble / elements
    val oracle = fixed.map(_.flatten).transpose.map(_.min).sum.toDouble / elements
    Found(adaptive, whole(_.min), whole(_.max), oracle)
  }

  def run(scale: Scale, step: String => Unit): Report = {
    val found = scale.seeds.map { seed =>
      step(s"Drift, seed $seed")
      measure(scale, seed)
    }
    val adaptive = probabilities.zip(found.map(_.adaptive).transpose)
    val plans = adaptive.map { case (p, work) => s"a-greedy, p = $p" -> mean(work) } ++ Seq(
      "best fixed orders" -> mean(found.map(_.best)),
      "worst fixed orders" -> mean(found.map(_.worst)),
      "best orders of each half" -> mean(found.map(_.oracle))
    )
    val shown = plans.map { case (plan, work) => f"$plan: $work%.3f" }.mkString(", ")
    val checks = adaptive.flatMap { case (p, work) =>
      Seq(
        Check.positive(
          "drift",
          s"A-Greedy at p = $p, profiling included, works less than the best fixed orders of the whole run",
          work.zip(found).map { case (a, f) => 1 - a / f.best },
          shown
        ),
        Check.positive(
          "drift",
          s"A-Greedy at p = $p, profiling included, works less than the worst fixed orders by a quarter",
          work.zip(found).map { case (a, f) => 0.75 - a / f.worst },
          shown
        )
      )
    }
    val series = Seq(Series("look-ups", "per element", plans.map(_._2)))
    Report(
      Seq(
        Figure("drift", "Orders of a five-way join that changes half-way", "plan", plans.map(_._1), series)
      ),
      checks
    )
  }
}
