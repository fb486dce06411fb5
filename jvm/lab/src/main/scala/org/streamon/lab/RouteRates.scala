package org.streamon.lab

import java.util.SplittableRandom

import Experiment._
import RouteContender._

/** Query Mesh against a single plan and an Eddy with content-based routing, on uniform and on skewed streams:
  * Figures 10 and 11.
  */
private[lab] object RouteRates extends Experiment {
  val figures: Seq[String] = Seq("10", "11")
  def steps(scale: Scale): Int = 2 * scale.seeds.size

  private val plans = Seq(SinglePlan, AGreedy, QueryMesh, Eddy, BatchedEddy, Oracle)

  /** Nanoseconds of a look-up in a window that is not in memory. */
  private val Dear = 1000L

  /** Nanoseconds of a test of a text in Spark, with the reading of its column. */
  private val SparksTest = 25L

  /** Pieces of the run that Figure 11 shows. */
  private val Pieces = 10

  /** By plan.
    *
    * @param rates
    *   rows a second once the plan has settled
    * @param overhead
    *   share of the time that processes no query
    * @param dear
    *   the same of Query Mesh where look-ups are dear
    * @param leads
    *   of Query Mesh over the single plan where a test costs what it does in Spark, and where look-ups are
    *   dear besides
    * @param cumulative
    *   rows after each tenth of the time that the slowest plan takes for all of them, from the first row on
    */
  private case class Found(
      rates: Map[String, Double],
      overhead: Map[String, Double],
      dear: Double,
      leads: (Double, Double),
      cumulative: Map[String, Seq[Double]],
      routes: Int
  )

  private def measure(streams: RouteStreams, scale: Scale, seed: Long): Found = {
    val random = new SplittableRandom(seed)
    val contenders = all(streams, seed)
    val pool = streams.rows(scale.pool, random)
    val curves = contenders.map { contender =>
      contender.name -> (1 to Pieces).map { _ =>
        contender.mark()
        goRound(pool, scale.warm / Pieces)(contender.feed)
        contender.since.nanos()
      }
    }.toMap
    contenders.foreach { c =>
      c.settle()
      c.mark()
    }
    contenders.foreach(c => goRound(pool, scale.measured)(c.feed))
    val work = contenders.map(c => c.name -> c.since).toMap
    def leadAt(lookUp: Long) =
      work(SinglePlan).nanos(lookUp, SparksTest) / work(QueryMesh).nanos(lookUp, SparksTest) - 1
    Found(
      work.view.mapValues(w => 1e9 / w.nanos()).toMap,
      work.view.mapValues(_.overheadShare()).toMap,
      work(QueryMesh).overheadShare(Dear),
      (leadAt(RouteWork.LookUp), leadAt(Dear)),
      cumulative(curves, scale.warm / Pieces),
      contenders.find(_.name == QueryMesh).fold(0)(_.routes)
    )
  }

  private def goRound(pool: Array[ArrivingRow], count: Int)(feed: Array[ArrivingRow] => Unit): Unit =
    Iterator
      .continually(pool)
      .scanLeft((pool, count)) { case ((_, left), p) => (p, left - p.length) }
      .takeWhile(_._2 > 0)
      .foreach { case (p, left) => feed(p.take(left)) }

  /** @param nanos
    *   by plan and piece, of a row
    */
  private def cumulative(nanos: Map[String, Seq[Double]], rows: Int): Map[String, Seq[Double]] = {
    val end = nanos.values.map(_.sum).max * rows
    nanos.view.mapValues { pieces =>
      (1 to Pieces).map { k =>
        val time = end * k / Pieces
        val whole = pieces.scanLeft(0.0)(_ + _ * rows).tail.takeWhile(_ <= time)
        val rest = time - whole.lastOption.getOrElse(0.0)
        // Behind its last piece a plan goes on at the rate of that piece.
        whole.size * rows + rest / pieces(math.min(whole.size, Pieces - 1))
      }
    }.toMap
  }

  private def lead(found: Seq[Found], plan: String): Seq[Double] =
    found.map(f => f.rates(QueryMesh) / f.rates(plan) - 1)

  private def ahead(figure: String, data: String, found: Seq[Found], plan: String, paper: String): Check =
    Check.positive(
      figure,
      s"on $data streams Query Mesh is ahead of the plan '$plan' (paper: by $paper)",
      lead(found, plan),
      s"by ${percent(mean(lead(found, plan)))}"
    )

  def run(scale: Scale, step: String => Unit): Report = {
    def all(data: String, make: SplittableRandom => RouteStreams) = scale.seeds.map { seed =>
      step(s"Figures 10 and 11, $data, seed $seed")
      measure(make(new SplittableRandom(seed)), scale, seed)
    }
    val uniform = all("uniform", RouteStreams.uniform)
    val skewed = all("skewed", RouteStreams.skewed)
    val behind = lead(uniform, SinglePlan).map(-_)
    val overhead = skewed.map(_.overhead(QueryMesh))
    val growing = skewed.map { f =>
      val gaps = f.cumulative(QueryMesh).zip(f.cumulative(SinglePlan)).map { case (a, b) => a - b }
      gaps.last - 2 * gaps(Pieces / 2 - 1)
    }
    Report(
      Seq(
        Figure(
          "10",
          "Output rate, and share of the time that processes no query",
          "streams",
          Seq("uniform", "skewed"),
          plans.flatMap { plan =>
            Seq(
              Series(plan, "rows per second", Seq(uniform, skewed).map(f => mean(f.map(_.rates(plan))))),
              Series(
                s"$plan: overhead",
                "share",
                Seq(uniform, skewed).map(f => mean(f.map(_.overhead(plan))))
              )
            )
          }
        ),
        Figure(
          "11",
          "Rows processed since the start, skewed streams",
          "share of the slowest plan's time",
          (1 to Pieces).map(k => f"${k.toDouble / Pieces}%.1f"),
          plans.map(p => Series(p, "rows", skewed.map(_.cumulative(p)).transpose.map(mean)))
        )
      ),
      Seq(
        Check.holds(
          "10",
          "on uniform streams Query Mesh ends with one route, or two",
          uniform.forall(_.routes <= 2),
          s"routes by seed: ${uniform.map(_.routes).mkString(", ")}"
        ),
        Check.holds(
          "10",
          "on uniform streams Query Mesh is at most 3% behind the single plan (paper: 2.2%)",
          mean(behind) <= 0.03,
          s"${percent(mean(behind))} behind"
        ),
        ahead("10", "uniform", uniform, Eddy, "39%"),
        ahead("10", "uniform", uniform, BatchedEddy, "24%"),
        ahead("10", "skewed", skewed, SinglePlan, "44%"),
        ahead("10", "skewed", skewed, Eddy, "27%"),
        ahead("10", "skewed", skewed, BatchedEddy, "18%"),
        Check.positive(
          "10",
          s"on skewed streams Query Mesh is ahead of the single plan where a test takes $SparksTest ns (ours)",
          skewed.map(_.leads._1),
          s"by ${percent(mean(skewed.map(_.leads._1)))}, and with look-ups of $Dear ns by " +
            percent(mean(skewed.map(_.leads._2)))
        ),
        Check.holds(
          "10",
          "classifier and profile take less than 2% of Query Mesh's time",
          mean(overhead) < 0.02,
          s"${percent(mean(overhead))} with look-ups of ${RouteWork.LookUp} ns, " +
            s"${percent(mean(skewed.map(_.dear)))} of $Dear ns"
        ),
        Check.holds(
          "10",
          "skewed streams of three parts end with about three routes",
          skewed.forall(f => f.routes >= 3 && f.routes <= 4),
          s"routes by seed: ${skewed.map(_.routes).mkString(", ")}"
        ),
        Check.positive(
          "11",
          "the lead of Query Mesh over the single plan grows with time",
          growing,
          "by how many rows the gap of the second half is larger than that of the first"
        )
      )
    )
  }
}
