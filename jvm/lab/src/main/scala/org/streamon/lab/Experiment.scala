package org.streamon.lab

import java.util.SplittableRandom

/** How much of everything the lab runs.
  *
  * @param warm
  *   tuples before measuring starts, so that algorithms have converged
  * @param measured
  *   tuples measured
  * @param pool
  *   distinct tuples that a contender goes round
  * @param seeds
  *   each repeats the experiment with its own tuples and initial order
  * @param timeline
  *   tuples before, and again after, the change of Figures 4.19 to 4.21
  * @param rounds
  *   changes of the shorter periods are repeated to fill this many of the longest period
  * @param arrivals
  *   rows that arrive at a join, or in each half of one that changes
  */
final case class Scale(
    warm: Int,
    measured: Int,
    pool: Int,
    seeds: Seq[Long],
    timeline: Int,
    periods: Seq[Int],
    rounds: Int,
    arrivals: Int
)

object Scale {
  val full: Scale = Scale(
    warm = 1000000,
    measured = 1000000,
    pool = 1 << 16,
    seeds = 1L to 8L,
    timeline = 600000,
    periods = Seq(10000, 30000, 100000, 300000, 1000000),
    rounds = 3,
    arrivals = 50000
  )
  val quick: Scale = Scale(
    warm = 150000,
    measured = 100000,
    pool = 1 << 13,
    seeds = 1L to 3L,
    timeline = 60000,
    periods = Seq(10000, 100000),
    rounds = 2,
    arrivals = 15000
  )
}

/** Reproduces some figures of a paper. */
trait Experiment {

  /** The figures and tables that it makes, as `--only` takes them. */
  def figures: Seq[String]

  /** How many times `run` will call `step`. */
  def steps(scale: Scale): Int

  /** @param step
    *   called with a label as each step begins
    */
  def run(scale: Scale, step: String => Unit): Report
}

private[lab] object Experiment {

  /** What an algorithm does per tuple once it has converged on a stable stream, for each seed. */
  def converged(filters: Long => CorrelatedFilters, algorithm: String, p: Double, scale: Scale): Seq[Counts] =
    scale.seeds.map { seed =>
      val model = filters(seed)
      val pool = StreamTuple.pool(model, scale.pool, new SplittableRandom(seed))
      val contender = Contender(algorithm, p, model, seed)
      contender.feed(pool, scale.warm)
      contender.mark()
      contender.feed(pool, scale.measured)
      contender.since
    }

  def mean(values: Seq[Double]): Double = values.sum / values.size

  /** For each seed, by how much the first does less work than the second, as a share of the second's. */
  def advantage(first: Seq[Counts], second: Seq[Counts]): Seq[Double] =
    first.zip(second).map { case (a, b) => 1 - a.work / b.work }

  def differences(a: Seq[Double], b: Seq[Double]): Seq[Double] = a.zip(b).map { case (x, y) => x - y }

  def percent(share: Double): String = f"${100 * share}%.2f%%"

  /** Curves of counted work and of measured speed, for one algorithm. */
  def curves(name: String, points: Seq[Seq[Counts]]): Seq[Series] = Seq(
    Series(name, "probes per tuple", points.map(p => mean(p.map(_.work)))),
    Series(name, "tuples per second", points.map(p => mean(p.map(_.rate))))
  )

  /** A claim for every point of a curve: decided when each point is. */
  def everywhere(figure: String, claim: String, points: Seq[(String, Seq[Double])]): Check = {
    val each = points.map { case (label, measured) =>
      label -> Check.positive(figure, claim, measured, "")
    }
    val verdict =
      if (each.exists(_._2.verdict == Check.NotReproduced)) Check.NotReproduced
      else if (each.exists(_._2.verdict == Check.Undecided)) Check.Undecided
      else Check.Reproduced
    val found = points.map { case (label, measured) => s"$label: ${percent(mean(measured))}" }.mkString(", ")
    Check(figure, claim, verdict, found)
  }
}
