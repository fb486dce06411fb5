package org.streamon.spark.joins

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.functions.{col, timestamp_millis}
import org.apache.spark.sql.streamon.BetweenBatches
import org.streamon.spark.{Replay, SparkSuite}
import org.streamon.spark.execution.joins.MirrorRegistry
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.tags.Prove

/** Windows of rows by generation: whatever the windows, the keys, the cuts between micro-batches, the
  * partitions, the restarts, the memory, the caches and the order of probing, the results are those of rows
  * taken one by one. `-Dstreamon.seed=N` replays the trial of seed N and goes on from there.
  */
class RowWindowEqualitySuite extends AnyFunSuite with SparkSuite with StreamingJoins with Trials {
  private lazy val session = spark
  import session.implicits._

  private val seed = Replay.seed
  private var results, late, left, hits, routed = 0L

  test("random joins with windows of rows give what rows taken one by one give") {
    compare(seed.getOrElse(1L), trials = 6)
    if (seed.isEmpty)
      assert(
        results > 200 && late > 0 && left > 50 && routed > 0,
        s"$results results, $late late, $left left the state, $routed with routes"
      )
  }

  test("many more of them", Prove) {
    compare(seed.getOrElse(System.nanoTime()), trials = 150)
  }

  test("other cuts and other partitions give the same results") {
    val trial = RowWindowTrial(seed.getOrElse(5L))
    val rows = trial.arrivals.flatten.sortBy(_._2.millis.getOrElse(0L))
    val outcomes = for {
      (pieces, partitions) <- Seq(1 -> 3, 4 -> 1, 7 -> 2)
      cut = rows.grouped((rows.size + pieces - 1) / pieces).toSeq
    } yield {
      val partitioned = trial.confs.map {
        case ("spark.sql.shuffle.partitions", _) => "spark.sql.shuffle.partitions" -> partitions.toString
        case other                               => other
      }
      run(trial.copy(arrivals = cut, restarts = Set(2), confs = partitioned))
    }
    assert(outcomes.head.nonEmpty && outcomes.forall(_ == outcomes.head))
  }

  private def compare(first: Long, trials: Int): Unit = {
    eachOf(first, trials)(RowWindowTrial(_))(trial => run(trial))
    info(
      s"$results results, $late late rows, $left rows left the state, $hits cache hits, $routed with routes"
    )
  }

  private def run(trial: RowWindowTrial): Seq[String] = withConf(trial.confs: _*) {
    val in = new Streams[OrderedRow](session, trial.names)(view(trial))
    val oracle = new RowWindowOracle(trial)
    // Pushes the watermark past all others, and comes with the micro-batch that processes them.
    val last = trial.names.indices.map(i => i -> OrderedRow(None, None, Some(10000000L), -13))
    running(spark.sql(trial.sql)) { runs =>
      var dropped, kept = 0L
      def count(): Unit = {
        dropped += runs.progress.map(_.numRowsDroppedByWatermark).sum
        kept += runs.progress.map(p => p.numRowsUpdated - p.numRowsRemoved).sum
        left += runs.progress.map(_.numRowsRemoved).sum
        hits += runs.progress.map(_.customMetrics.get("mjoinCacheHits").longValue).sum
      }
      for ((piece, i) <- (trial.arrivals :+ last :+ last).zipWithIndex) {
        if (trial.restarts(i)) {
          count()
          if (trial.seed % 2 == 0) MirrorRegistry.clear()
          runs.restart()
          oracle.restart()
        }
        BetweenBatches(runs.query)(for ((input, row) <- piece) in.add(s"s$input", row))
        oracle.arrive(piece)
        runs.settle()
      }
      assert(runs.operators.size == 1)
      if (spark.sql(s"SELECT * FROM streamon_routes('${runs.query.id}') WHERE route > 0").count() > 0)
        routed += 1
      val (ours, expected) = (runs.rows, oracle.inserted)
      assert(ours == expected, s"missing ${expected.diff(ours)}, too many ${ours.diff(expected)}")
      count()
      assert(dropped == oracle.late, "late rows")
      assert(kept == runs.progress.last.numRowsTotal, "rows in the state")
      results += expected.size
      late += oracle.late
      expected
    }
  }

  private def view(trial: RowWindowTrial)(name: String, raw: DataFrame): DataFrame = raw
    .select(col("k"), col("b"), timestamp_millis(col("millis")).as("t"), col("id"))
    .withWatermark("t", s"${trial.delays(trial.names.indexOf(name))} milliseconds")
}
