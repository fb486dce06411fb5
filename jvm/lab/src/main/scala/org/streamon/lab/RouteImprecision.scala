package org.streamon.lab

import java.util.SplittableRandom

import org.streamon.core.routes.{ImpreciseRoute, RouteLottery, Routes}

import Experiment._

/** Imprecise routes against precise ones, by the number of rows that routes are learned from. The paper
  * describes them in Section 3.11 and does not measure them.
  */
private[lab] object RouteImprecision extends Experiment {
  private val samples = Seq(30, 100, 1000)
  private val similars = Seq(0.02, 0.1, 0.3)
  val figures: Seq[String] = Seq("3.11")
  def steps(scale: Scale): Int = samples.size * scale.seeds.size

  /** Routes that no longer change, taken by lottery where a step is open. */
  final class Lotteries(plan: Routes, open: IndexedSeq[ImpreciseRoute], seed: Long)
      extends RouteContender(RouteContender.QueryMesh) {
    private val n = RouteStreams.Operators
    private val random = new SplittableRandom(seed)
    private val lotteries = open.map(new RouteLottery(_, n, random))

    /** By route and step, how many alternatives are left. */
    private val alternatives = open.map(_.entries.flatMap(entry => entry.indices.map(entry.size - _)))

    def routes: Int = plan.orders.size

    protected def process(rows: Array[ArrivingRow]): Unit = {
      var inTurn, tests, decisions, compared = 0L
      for (row <- rows) {
        val (route, asked) = RouteContender.walk(plan.tree, row)
        tests += asked
        val lottery = lotteries(route)
        lottery.begin()
        var step = 0
        var passes = true
        while (step < n && passes) {
          val q = lottery.next()
          passes = (row.drops >>> q & 1L) == 0L
          lottery.record(q, passes)
          if (alternatives(route)(step) > 1) {
            decisions += 1
            compared += alternatives(route)(step)
          }
          step += 1
        }
        inTurn += step
      }
      work = work.copy(
        inTurn = work.inTurn + inTurn,
        tests = work.tests + tests,
        decisions = work.decisions + decisions,
        compared = work.compared + compared
      )
    }
  }

  /** The orders of a plan with no step left open. */
  def precise(plan: Routes): IndexedSeq[ImpreciseRoute] =
    plan.orders.map(order => new ImpreciseRoute(order.map(Vector(_))))

  /** @param lookUps
    *   of a row, by `similar`, that of the precise routes first
    * @param nanos
    *   of a row at fixed prices, in the same sequence
    */
  private case class Found(lookUps: Seq[Double], nanos: Seq[Double])

  private def measure(sample: Int, scale: Scale, seed: Long): Found = {
    val random = new SplittableRandom(seed)
    val streams = RouteStreams.skewed(random)
    val settings = RouteContender.settings.copy(sample = sample, test = math.max(sample / 2, 1))
    val mesh = RouteSearches.adopted(streams, settings, scale, random, seed)
    val rows = streams.rows(scale.measured, random)
    val work = (precise(mesh.plan) +: similars.map(mesh.imprecise)).map { open =>
      val contender = new Lotteries(mesh.plan, open, seed)
      contender.feed(rows)
      contender.since
    }
    Found(work.map(w => w.inTurn.toDouble / w.rows), work.map(_.nanos()))
  }

  def run(scale: Scale, step: String => Unit): Report = {
    val found = samples.map { sample =>
      sample -> scale.seeds.map { seed =>
        step(s"Section 3.11, |S| = $sample, seed $seed")
        measure(sample, scale, seed)
      }
    }
    val names = "precise" +: similars.map(s => s"similar: ${percent(s)}")

    def series(unit: String, of: Found => Seq[Double]) =
      names.indices.map(k => Series(names(k), unit, found.map { case (_, all) => mean(all.map(of(_)(k))) }))

    def ahead(what: String, of: Found => Seq[Double]) = for ((sample, all) <- found) yield {
      // The best of them, which is the most that they can be worth.
      val leads = similars.indices.map(k => all.map(f => of(f).head / of(f)(k + 1) - 1))
      val best = leads.maxBy(mean)
      Check.positive(
        "3.11",
        s"imprecise routes take $what than precise ones where |S| = $sample (ours)",
        best,
        s"by ${percent(mean(best))} at best; " +
          names.tail.zip(leads).map { case (name, lead) => s"$name: ${percent(mean(lead))}" }.mkString(", ")
      )
    }
    Report(
      Seq(
        Figure(
          "3.11",
          "Imprecise routes, skewed streams",
          "|S|",
          samples.map(_.toString),
          series("look-ups per row", _.lookUps) ++ series("nanoseconds per row", _.nanos)
        )
      ),
      ahead("fewer look-ups", _.lookUps) ++ ahead("less time", _.nanos)
    )
  }
}
