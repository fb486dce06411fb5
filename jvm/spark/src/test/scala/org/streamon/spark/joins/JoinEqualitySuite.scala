package org.streamon.spark.joins

import scala.util.Random
import scala.util.control.NonFatal

import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.streaming.runtime.StreamingQueryWrapper
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.{Replay, SparkSuite}
import org.streamon.tags.Prove

/** Rule 1 of the design by generation: an MJoin gives the rows of Spark's batch join, whatever the join, the
  * rows, the cuts between micro-batches, the partitions, the restarts and the order of probing.
  * `-Dstreamon.seed=N` replays the trial of seed N and goes on from there.
  */
class JoinEqualitySuite extends AnyFunSuite with SparkSuite with StreamingJoins with Trials {
  private lazy val session = spark
  import session.implicits._

  private val seed = Replay.seed
  private var results, adaptive, reorders, hits, routed = 0L

  test("random joins of streams give the rows of Spark's batch join") {
    compare(seed.getOrElse(6L), trials = 5)
    if (seed.isEmpty) assert(adaptive >= 4 && results > 100, s"$adaptive with an MJoin, $results rows")
  }

  test("whatever tree sends the rows of an input on routes") {
    val before = results
    compare(seed.getOrElse(6L), trials = 5, JoinTrial(_).routed)
    if (seed.isEmpty) assert(routed >= 4 && results - before > 100, s"$routed with routes")
  }

  test("many more of them", Prove) {
    compare(seed.getOrElse(System.nanoTime()), trials = 150)
    assert(reorders > 0 && hits > 0, s"$reorders reorders, $hits cache hits")
  }

  test("many more trees", Prove) {
    compare(seed.getOrElse(System.nanoTime()), trials = 100, JoinTrial(_).routed)
    assert(routed > 50)
  }

  test("other interleavings of the inputs, other cuts and other partitions give the same rows") {
    eachOf(seed.getOrElse(6L), trials = 2)(JoinTrial(_)) { trial =>
      val outcomes = for ((batches, partitions) <- Seq(1 -> 3, 3 -> 1, 5 -> 2)) yield {
        val rows = new Random(batches).shuffle(trial.arrivals.flatten)
        val confs = trial.confs.toMap + ("spark.sql.shuffle.partitions" -> partitions.toString)
        val arrivals = rows.grouped((rows.size + batches - 1) / batches).toSeq
        outcome(trial.copy(arrivals = arrivals, restarts = Set(2), confs = confs.toSeq)).rows
      }
      results += outcomes.head.size
      assert(outcomes.forall(_ == outcomes.head))
    }
    if (seed.isEmpty) assert(results > 100)
  }

  private def compare(first: Long, trials: Int, of: Long => JoinTrial = JoinTrial(_)): Unit = {
    eachOf(first, trials)(of) { trial =>
      // Where Spark keeps some of the joins, the inputs have other numbers.
      def unforced = trial.copy(confs = trial.confs.filterNot(_._1.endsWith("caching.forced")))
      val compared =
        try difference(trial)
        catch {
          // From the query, or from its plan, whichever is looked at first.
          case NonFatal(e) if messages(e).exists(_.contains("STREAMON_CACHE_NOT_JOINED")) =>
            difference(unforced)
        }
      compared.foreach(fail(_))
    }
    info(
      s"$adaptive with an MJoin, $routed with routes, $results rows, $reorders reorders, $hits cache hits"
    )
  }

  private def difference(trial: JoinTrial): Option[String] = {
    val Outcome(ours, expected, plan) = outcome(trial)
    results += expected.size
    Option.when(ours != expected) {
      s"missing ${expected.diff(ours).take(5)}, too many ${ours.diff(expected).take(5)}, of ${expected.size}\n$plan"
    }
  }

  /** @param expected
    *   the rows of Spark's batch join
    */
  private case class Outcome(rows: Seq[String], expected: Seq[String], plan: Option[SparkPlan])

  private def outcome(trial: JoinTrial): Outcome = withConf(trial.confs: _*) {
    val in = new Streams[TrialRow](session, trial.names)((_, raw) => raw)
    running(spark.sql(trial.sql)) { runs =>
      for ((batch, i) <- trial.arrivals.zipWithIndex) {
        for ((input, rows) <- batch.groupMap(_._1)(_._2)) in.add(s"s$input", rows: _*)
        if (trial.restarts(i)) runs.restart()
        runs.settle()
      }
      if (runs.operators.nonEmpty) adaptive += 1
      else info(s"seed ${trial.seed} without an MJoin: ${whyNot(spark.sql(trial.sql))}")
      def total(metric: String) =
        runs.progress.flatMap(p => Option(p.customMetrics.get(metric))).map(_.longValue).sum
      reorders += total("mjoinReorders")
      hits += total("mjoinCacheHits")
      if (spark.sql(s"select * from streamon_routes('${runs.query.id}') where route > 0").count() > 0)
        routed += 1
      val last = runs.query.asInstanceOf[StreamingQueryWrapper].streamingQuery.lastExecution
      Outcome(runs.rows, in.asTables(stock(trial.sql)), Option(last).map(_.executedPlan))
    }
  }
}
