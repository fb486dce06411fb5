package org.streamon.lab

import java.util.SplittableRandom

import org.streamon.core.routes.{RouteSettings, Routes, SearchLimits}

import Experiment._

/** What the search for routes takes, by the number of representatives, and what its start is worth: Figures
  * 12 and 13.
  */
private[lab] object RouteSearches {

  /** A Query Mesh that has adopted its first routes, or had time to, on skewed streams, and what it does
    * then.
    */
  private def measured(settings: RouteSettings, scale: Scale, seed: Long): RouteContender.Mesh = {
    val random = new SplittableRandom(seed)
    val streams = RouteStreams.skewed(random)
    val mesh = adopted(streams, settings, scale, random, seed)
    mesh.settle()
    mesh.mark()
    mesh.feed(streams.rows(scale.measured, random))
    mesh
  }

  /** A Query Mesh that has just adopted its first routes, or had time to. As in the paper, its samples are
    * full by then, since a search of fewer rows is short, and it adopts what a search finds when that is
    * better at all: `review` and `thrashAvoidance` of the settings do not count.
    */
  def adopted(
      streams: RouteStreams,
      settings: RouteSettings,
      scale: Scale,
      random: SplittableRandom,
      seed: Long
  ): RouteContender.Mesh = {
    val first = Routes.single((0 until streams.operators).toVector)
    // Rows are dealt out to both samples at random.
    val full = settings.copy(review = 4 * (settings.sample + settings.test) / 3, thrashAvoidance = 1.0)
    val mesh = RouteContender.mesh(RouteContender.QueryMesh, first, full, seed)
    var left = 4 * scale.warm
    while (left > 0 && mesh.statistics.isEmpty) {
      mesh.feed(streams.rows(Piece, random))
      left -= Piece
    }
    mesh
  }

  /** Rows that are fed at once: one of them is sampled. */
  private val Piece = 100

  object OptimizerTime extends Experiment {
    private val sizes = Seq(8, 16, 32, 64, 100)
    private val searches = Seq("ii-qm", "sa-qm")
    val figures: Seq[String] = Seq("12")
    def steps(scale: Scale): Int = sizes.size

    def run(scale: Scale, step: String => Unit): Report = {
      val found = sizes.map { size =>
        step(s"Figure 12, |T| = $size")
        searches.map { search =>
          val settings = RouteContender.settings.copy(
            search = search,
            representatives = size,
            stop = SearchLimits(steps = 1000000, nanos = Long.MaxValue)
          )
          search -> scale.seeds.take(3).flatMap(measured(settings, scale, _).statistics)
        }.toMap
      }
      val steps = searches.map(s => s -> found.map(f => mean(f(s).map(_.steps.toDouble)))).toMap
      val millis = searches.map(s => s -> found.map(f => mean(f(s).map(_.searchNanos / 1e6)))).toMap
      Report(
        Seq(
          Figure(
            "12",
            "Optimizer time against the number of representatives",
            "|T|",
            sizes.map(_.toString),
            searches.flatMap(s =>
              Seq(Series(s, "configurations", steps(s)), Series(s, "milliseconds", millis(s)))
            )
          )
        ),
        searches.flatMap(s =>
          Seq(
            Check.holds(
              "12",
              s"$s tries more configurations the larger T is",
              steps(s).last > steps(s).head,
              sizes.zip(steps(s)).map { case (t, n) => f"|T| = $t: $n%.0f" }.mkString(", ")
            ),
            Check
              .holds(
                "12",
                s"$s takes longer the larger T is",
                millis(s).last > millis(s).head,
                sizes.zip(millis(s)).map { case (t, ms) => f"|T| = $t: $ms%.0f ms" }.mkString(", ")
              )
              .inTime
          )
        )
      )
    }
  }

  object Starts extends Experiment {
    private val best = "route-driven"
    private val others =
      Seq("extreme-n" -> "6%", "content-driven" -> "10%", "random-pick" -> "12%", "extreme-1-route" -> "19%")
    val figures: Seq[String] = Seq("13")
    def steps(scale: Scale): Int = others.size + 1

    def run(scale: Scale, step: String => Unit): Report = {
      val rates = (best +: others.map(_._1)).map { start =>
        step(s"Figure 13, $start")
        val settings = RouteContender.settings.copy(start = start)
        start -> scale.seeds.map(seed => 1e9 / measured(settings, scale, seed).since.nanos())
      }
      val byStart = rates.toMap
      Report(
        Seq(
          Figure(
            "13",
            "Effect of the start on the output rate",
            "start",
            rates.map(_._1),
            Seq(Series("query mesh", "rows per second", rates.map(r => mean(r._2))))
          )
        ),
        others.map { case (start, paper) =>
          val lead = byStart(best).zip(byStart(start)).map { case (a, b) => a / b - 1 }
          Check.positive(
            "13",
            s"a search that begins with $best leads one that begins with $start (paper: by $paper)",
            lead,
            s"by ${percent(mean(lead))}"
          )
        }
      )
    }
  }
}
