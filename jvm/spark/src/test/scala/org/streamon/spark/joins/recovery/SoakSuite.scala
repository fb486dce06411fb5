package org.streamon.spark.joins.recovery

import org.apache.spark.sql.streaming.StateOperatorProgress
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.{Replay, SparkSuite}
import org.streamon.spark.joins.{StreamingJoins, Streams}
import org.streamon.tags.Prove

/** Hundreds of micro-batches under watermarks: rows of state and memory of mirrors stop growing. What is
  * compared are the greatest values in the middle third and in the last.
  */
class SoakSuite extends AnyFunSuite with SparkSuite with StreamingJoins {
  private lazy val session = spark
  import session.implicits._

  /** Each is at least two micro-batches, one with rows and one that the watermark brings. */
  private val steps = 100

  test("state and mirrors reach a plateau", Prove) {
    val seed = Replay.seed.getOrElse(1L)
    val in = new ThreeStreams(seed, steps, rows = 60, keys = 200)
    val streams = new Streams[String](session, ThreeStreams.Names)((_, raw) => ThreeStreams.view(raw))
    withConf("spark.sql.streaming.numRecentProgressUpdates" -> "1000") {
      running(spark.sql(ThreeStreams.sql)) { runs =>
        for (step <- 0 until steps) {
          for (name <- ThreeStreams.Names) streams.add(name, in.lines(name)(step): _*)
          runs.settle()
        }
        info(s"${runs.progress.size} micro-batches")
        assert(runs.progress.size >= 2 * steps)
        // Times are random, so the number of rows within reach of the watermark is, a little.
        plateau("rows", runs.progress.map(_.numRowsTotal), slack = 0.05)
        plateau("bytes", runs.progress.map(bytes), slack = 0.05)
        assert(runs.progress.last.numRowsTotal < in.lines.values.flatten.map(_.size).sum / 5)
        assert(runs.rows == streams.asTables(stock(ThreeStreams.sql)))
      }
    }
  }

  private def bytes(progress: StateOperatorProgress): Long =
    progress.customMetrics.get("mjoinMirrorBytes").longValue

  private def plateau(what: String, values: Seq[Long], slack: Double): Unit = {
    val most = values.grouped((values.size + 2) / 3).map(_.max).toIndexedSeq
    info(s"at most ${most.mkString(", ")} $what in the three thirds")
    assert(most(2) <= most(1) * (1 + slack), what)
  }
}
