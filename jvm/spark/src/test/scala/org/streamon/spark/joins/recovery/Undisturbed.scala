package org.streamon.spark.joins.recovery

import org.apache.spark.sql.streamon.BetweenBatches
import org.scalatest.Suite
import org.streamon.spark.SparkSuite
import org.streamon.spark.joins.{Streams, StreamingJoins}

/** What should come of [[ThreeStreams]]. */
trait Undisturbed extends SparkSuite with StreamingJoins { self: Suite =>

  /** The results over what has come in some micro-batches. */
  def undisturbed(join: Disturbed, in: ThreeStreams, batches: Int): Seq[String] = withConf(join.confs: _*) {
    val session = spark
    import session.implicits._
    val streams = new Streams[String](session, ThreeStreams.Names)((_, raw) => ThreeStreams.view(raw))
    def bring(batches: Range) =
      for ((name, lines) <- in.lines) streams.add(name, batches.flatMap(lines): _*)
    if (join.isBatch) {
      bring(0 until batches)
      streams.asTables(stock(join.sql))
    } else
      running(spark.sql(join.sql)) { runs =>
        for (batch <- 0 until batches) {
          BetweenBatches(runs.query)(bring(batch to batch))
          runs.settle()
        }
        runs.rows
      }
  }
}
