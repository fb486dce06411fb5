package org.streamon.spark.joins

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.functions.{col, expr, timestamp_millis}
import org.apache.spark.sql.streamon.BetweenBatches
import org.streamon.spark.{Replay, SparkSuite}
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.tags.Prove

/** What watermarks let go of, by generation: it never changes an answer, rows are late when they are in
  * Spark, and the state has the rows that the documented rule keeps. `-Dstreamon.seed=N` replays the trial of
  * seed N and goes on from there.
  */
class EvictionEqualitySuite extends AnyFunSuite with SparkSuite with StreamingJoins with Trials {
  private lazy val session = spark
  import session.implicits._

  private val seed = Replay.seed
  private var results, late, evicted, early = 0L

  test("random joins with event times: rows, late rows and state are those of the oracle") {
    compare(seed.getOrElse(11L), trials = 5)
    if (seed.isEmpty)
      assert(results > 50 && late > 2 && evicted > 50 && early > 0, found)
  }

  test("many more of them", Prove) {
    compare(seed.getOrElse(System.nanoTime()), trials = 100)
  }

  private def compare(first: Long, trials: Int): Unit = {
    eachOf(first, trials)(EvictionTrial(_))(check)
    info(found)
  }

  private def found = s"$results results, $late late rows, $evicted let go of, $early of them early"

  private def check(trial: EvictionTrial): Unit = withConf(trial.confs: _*) {
    val in = new Streams[TimedRow](session, trial.names)(view(trial))
    val oracle = new EvictionOracle(trial)
    running(spark.sql(trial.sql)) { runs =>
      var (batches, dropped) = (0, 0L)
      for ((piece, i) <- trial.arrivals.zipWithIndex) {
        if (trial.restarts(i)) {
          batches += runs.progress.size
          dropped += runs.progress.map(_.numRowsDroppedByWatermark).sum
          runs.restart()
          oracle.restart()
        }
        BetweenBatches(runs.query)(for ((input, row) <- piece) in.add(s"s$input", row))
        oracle.arrive(piece)
        runs.settle()
        val at = s"after piece $i"
        assert(batches + runs.progress.size == oracle.batches, s"micro-batches $at")
        assert(dropped + runs.progress.map(_.numRowsDroppedByWatermark).sum == oracle.late, s"late rows $at")
        for (total <- runs.progress.lastOption.map(_.numRowsTotal)) {
          assert(total >= oracle.needed, s"rows that are still needed $at")
          assert(total >= oracle.met && total <= oracle.kept, s"rows in the state $at")
          early += oracle.kept - total
        }
      }
      assert(runs.operators.nonEmpty, "no MJoin")
      val rows = trial.names.zip(oracle.accepted).toMap
      val (ours, expected) = (runs.rows, in.asTables(rows)(stock(trial.sql)))
      assert(ours == expected, s"missing ${expected.diff(ours)}, too many ${ours.diff(expected)}")
      results += expected.size
      late += oracle.late
      evicted += oracle.accepted.map(_.size).sum - oracle.kept
    }
  }

  private def view(trial: EvictionTrial)(name: String, raw: DataFrame): DataFrame = {
    val timed = raw.select(col("k"), timestamp_millis(col("millis")).as("t"), col("id"))
    val marked = trial.delays(trial.names.indexOf(name)).fold(timed) { delay =>
      timed.withWatermark("t", s"$delay milliseconds")
    }
    trial.times match {
      case Times.Windows(millis) =>
        marked.select(col("k"), expr(s"window(t, '$millis milliseconds') w"), col("id"))
      case _ => marked
    }
  }
}
