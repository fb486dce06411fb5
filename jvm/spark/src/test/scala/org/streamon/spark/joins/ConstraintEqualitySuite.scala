package org.streamon.spark.joins

import scala.util.control.NonFatal

import org.apache.spark.sql.streamon.BetweenBatches
import org.streamon.spark.{Replay, SparkSuite}
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.tags.Prove

/** What constraints may change, by generation: nothing where rows keep what is declared, in any mode; where
  * they do not, rows may be missing in approximate and are never too many, none is in exact, and strict
  * stops. `-Dstreamon.seed=N` replays the trials of seed N and goes on from there.
  */
class ConstraintEqualitySuite extends AnyFunSuite with SparkSuite with StreamingJoins with Trials {
  private lazy val session = spark
  import session.implicits._

  private val seed = Replay.seed
  private var results, evicted, missing, stopped = 0L

  test("constraints that the rows keep change no answer") {
    keeping(seed.getOrElse(1L), trials = 2)
    assert(results > 100 && evicted > 50, s"$results results, $evicted rows evicted")
  }

  test("many more of them", Prove)(keeping(seed.getOrElse(System.nanoTime()), trials = 50))

  test("constraints that the rows break lose rows in approximate only, and stop strict") {
    breaking(seed.getOrElse(1L), trials = 2)
  }

  test("many more that are broken", Prove) {
    breaking(seed.getOrElse(System.nanoTime()), trials = 50)
    assert(missing > 0 && stopped > 0)
  }

  private def keeping(first: Long, trials: Int): Unit = {
    for (mode <- Seq("approximate", "exact", "strict"))
      eachOf(first, trials)(ConstraintTrial(_, mode, share = 1.0)) { trial =>
        val (ours, expected) = run(trial)
        assert(ours == expected, s"missing ${expected.diff(ours)}, too many ${ours.diff(expected)}")
      }
    info(s"$results results, $evicted rows evicted")
  }

  private def breaking(first: Long, trials: Int): Unit = {
    eachOf(first, trials)(ConstraintTrial(_, "approximate", share = 0.4)) { trial =>
      val (ours, expected) = run(trial)
      assert(ours.diff(expected).isEmpty, s"too many ${ours.diff(expected)}")
      missing += expected.size - ours.size
    }
    eachOf(first, trials)(ConstraintTrial(_, "exact", share = 0.4)) { trial =>
      val (ours, expected) = run(trial)
      assert(ours == expected, s"missing ${expected.diff(ours)}, too many ${ours.diff(expected)}")
    }
    eachOf(first, trials)(ConstraintTrial(_, "strict", share = 0.4)) { trial =>
      try {
        val (ours, expected) = run(trial)
        assert(ours == expected)
      } catch {
        case NonFatal(e) if messages(e).exists(_.contains("STREAMON_CONSTRAINT_VIOLATED")) => stopped += 1
      }
    }
    info(s"$results results, $evicted rows evicted, $missing missing, $stopped stopped")
  }

  private def run(trial: ConstraintTrial): (Seq[String], Seq[String]) = withConf(trial.confs: _*) {
    val in = new Streams[TreeRow](session, trial.names)((_, raw) => raw)
    running(spark.sql(trial.sql)) { runs =>
      var joined = false
      for ((batch, i) <- trial.arrivals.zipWithIndex) {
        if (trial.restarts(i)) runs.restart()
        BetweenBatches(runs.query)(for ((input, row) <- batch) in.add(s"s$input", row))
        runs.settle()
        // After a restart there is no plan before there are rows.
        joined ||= runs.operators.nonEmpty
        evicted += runs.progress.lastOption.fold(0L)(_.customMetrics.get("mjoinEvictedRows").longValue)
      }
      assert(joined)
      val expected = in.asTables(stock(trial.sql))
      results += expected.size
      (runs.rows, expected)
    }
  }
}
