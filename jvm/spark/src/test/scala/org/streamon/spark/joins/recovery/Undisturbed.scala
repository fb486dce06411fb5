package org.streamon.spark.joins.recovery

import org.apache.spark.sql.streamon.BetweenBatches
import org.streamon.spark.SparkSuite
import org.streamon.spark.joins.{StreamingJoins, Streams}
import org.scalatest.Suite

/** What should come of [[ThreeStreams]]. */
trait Undisturbed extends SparkSuite with StreamingJoins { self: Suite =>

  /** The results over what has come in some micro-batches. */
  def undisturbed(join: Disturbed, in: ThreeStreams, cuts: Seq[Cuts.Cut]): Seq[String] =
    withConf(join.confs: _*) {
      val session = spark
      import session.implicits._
      val streams = new Streams[String](session, ThreeStreams.Names)((_, raw) => ThreeStreams.view(raw))
      def bring(cut: Cuts.Cut) =
        for ((name, lines) <- in.lines) streams.add(name, cut(name).flatMap(lines): _*)
      if (join.isBatch) {
        cuts.foreach(bring)
        streams.asTables(stock(join.sql))
      } else
        running(spark.sql(join.sql)) { runs =>
          for (cut <- cuts) {
            BetweenBatches(runs.query)(bring(cut))
            runs.settle()
          }
          runs.rows
        }
    }
}
