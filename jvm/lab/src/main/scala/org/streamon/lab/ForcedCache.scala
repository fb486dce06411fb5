package org.streamon.lab

import java.util.SplittableRandom
import org.streamon.core.joins.Row
import Experiment._
import ThreeWay._

/** The plan with one cache, of R join S in T's pipeline, against the same MJoin without it, while one thing
  * varies: Figures 5.11 to 5.16, 5.19 and 5.20.
  *
  * @param figures
  *   the absolute one and the relative one
  */
private[lab] abstract class ForcedCache(val figures: Seq[String], title: String, xLabel: String)
    extends Experiment {

  /** One point.
    *
    * @param rows
    *   that a stream brings for a value
    * @param windows
    *   in values, of every stream
    */
  protected case class Setting(
      label: String,
      rows: (Int, Int) => Seq[Row],
      rates: Seq[Double],
      windows: Int = ForcedCache.Values,
      unindexed: (Long, Long) = (0L, 0L)
  )

  private case class Measured(plain: JoinWork, cached: JoinWork, hits: Double)

  protected def settings: Seq[Setting]

  protected def checks(found: ForcedCache.Found): Seq[Check]

  final def steps(scale: Scale): Int = settings.size

  private def run(setting: Setting, scale: Scale, seed: Long): Measured = {
    val windows = setting.rates.map(rate => math.round(rate * setting.windows).toInt).toVector
    val streams = new ValueStreams(windows, new SplittableRandom(seed), setting.rows)
    val values = math.max((scale.arrivals / setting.rates.sum).toInt, 4 * setting.windows)
    val (before, measured) = (streams.elements(values / 2), streams.elements(values / 2))
    val contenders = Seq(None, Some(cacheOfRS)).map { caching =>
      new JoinContender(graph, pipelines, caching, seed, unindexed = setting.unindexed)
    }
    val work = contenders.map { contender =>
      contender.feed(before)
      contender.mark()
      contender.feed(measured)
      contender.since
    }
    val report = contenders.last.reports.head
    Measured(work.head, work.last, report.hits.toDouble / (report.hits + report.misses))
  }

  final def run(scale: Scale, step: String => Unit): Report = {
    val all = settings.map { setting =>
      step(s"Figures ${figures.mkString(", ")}: $xLabel ${setting.label}")
      scale.seeds.map(run(setting, scale, _))
    }
    val labels = settings.map(_.label)
    def curve(name: String)(unit: String)(value: Measured => Double) =
      Series(name, unit, all.map(each => mean(each.map(value))))
    val absolute = CachedPlans.curves[Measured](curve("mjoin"), _.plain) ++ CachedPlans
      .curves[Measured](curve("cached"), _.cached) :+
      curve("hits")("share of the cache's look-ups")(_.hits)
    val relative = Seq(
      curve("mjoin / cached")("rate, at fixed prices")(f => f.cached.price / f.plain.price),
      curve("mjoin / cached")("rate, in processor time")(f => f.plain.rate / f.cached.rate)
    )
    Report(
      Seq(
        Figure(figures.head, title, xLabel, labels, absolute),
        Figure(figures.last, s"$title, relative", xLabel, labels, relative)
      ),
      checks(
        ForcedCache.Found(
          labels.zip(all.map(_.map(f => 1 - f.cached.price / f.plain.price))),
          labels.zip(all.map(_.map(f => 1 - f.plain.rate / f.cached.rate)))
        )
      )
    )
  }
}

private[lab] object ForcedCache {

  /** That a window holds, unless said otherwise. */
  val Values = 200

  /** By how much the cached plan works less than the MJoin, as a share, by point and seed: at fixed prices
    * and in processor time.
    */
  final case class Found(price: Seq[(String, Seq[Double])], time: Seq[(String, Seq[Double])])
}
