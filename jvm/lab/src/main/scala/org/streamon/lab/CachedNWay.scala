package org.streamon.lab

import java.util.SplittableRandom
import org.streamon.core.joins.{Equality, JoinGraph, Row}
import Experiment._

/** Figures 5.17 and 5.18: n streams on one attribute, of which half, rounded down, bring each value once and
  * the others five times. Caches are chosen by A-Caching; pipelines join the other windows in their own
  * sequence, which makes 15 candidates for seven streams, as in the thesis.
  */
private[lab] object CachedNWay extends Experiment {
  val figures: Seq[String] = Seq("5.17", "5.18")
  private val sizes = 3 to 7
  def steps(scale: Scale): Int = sizes.size

  private val values = 50

  /** @param batched
    *   both plans in micro-batches
    */
  private case class Found(plain: JoinWork, cached: JoinWork, used: Int, batched: Seq[JoinWork])

  private def measure(n: Int, scale: Scale, seed: Long): Found = {
    val graph = new JoinGraph(n, (1 until n).map(i => Equality(0, 0, i, 0)))
    val rates = (0 until n).map(i => if (i < n / 2) 1 else 5)
    val rows: (Int, Int) => Seq[Row] = (input, v) => Seq.fill(rates(input))(Vector(v))
    val streams = new ValueStreams(rates.map(_ * values).toVector, new SplittableRandom(seed), rows)
    val count = scale.arrivals / rates.sum / 2
    val (before, measured) = (streams.elements(count), streams.elements(count))
    val contenders = for {
      batch <- Seq(0, JoinContender.Batch)
      caching <- Seq(None, Some(JoinContender.settings))
    } yield new JoinContender(graph, Map.empty, caching, seed, batch = batch)
    val work = contenders.map { contender =>
      contender.feed(before)
      contender.mark()
      contender.feed(measured)
      contender.since
    }
    Found(work(0), work(1), contenders(1).reports.map(_.places.size).sum, work.drop(2))
  }

  def run(scale: Scale, step: String => Unit): Report = {
    val found = sizes.map { n =>
      step(s"Figures 5.17 and 5.18, n = $n")
      scale.seeds.map(measure(n, scale, _))
    }
    val labels = sizes.map(_.toString)
    def curve(name: String)(unit: String)(value: Found => Double) =
      Series(name, unit, found.map(each => mean(each.map(value))))
    def gains(value: Found => Double) = labels.zip(found.map(_.map(value)))
    val used = found.last.map(_.used)
    Report(
      Seq(
        Figure(
          "5.17",
          "Varying number of joins",
          "n",
          labels,
          CachedPlans.curves[Found](curve("mjoin"), _.plain) ++ CachedPlans
            .curves[Found](curve("a-caching"), _.cached) ++ CachedPlans
            .batches[Found](curve, "mjoin" -> (_.batched.head), "a-caching" -> (_.batched.last)) :+
            curve("used")("candidates")(_.used.toDouble)
        ),
        Figure(
          "5.18",
          "Varying number of joins, relative",
          "n",
          labels,
          Seq(
            curve("mjoin / a-caching")("rate, at fixed prices")(f => f.cached.price / f.plain.price),
            curve("mjoin / a-caching")("rate, in processor time")(f => f.plain.rate / f.cached.rate)
          )
        )
      ),
      Seq(
        everywhere(
          "5.18",
          "there is a gain for every n",
          gains(f => 1 - f.cached.price / f.plain.price)
        ),
        everywhere(
          "5.18",
          "so there is in micro-batches",
          gains(f => 1 - f.batched.last.price / f.batched.head.price)
        ),
        everywhere(
          "5.18",
          "so there is in processor time",
          gains(f => 1 - f.plain.rate / f.cached.rate)
        ).inTime,
        Check.holds(
          "5.17",
          "the seven-way join uses about 6 of 15 candidates (5 to 7)",
          mean(used.map(_.toDouble)) >= 5 && mean(used.map(_.toDouble)) <= 7,
          s"${used.mkString(", ")} of 15, by seed"
        )
      )
    )
  }

}
