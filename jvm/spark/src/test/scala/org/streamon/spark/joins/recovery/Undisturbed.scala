package org.streamon.spark.joins.recovery

import org.scalatest.Suite
import org.streamon.spark.SparkSuite
import org.streamon.spark.joins.{Streams, StreamingJoins}

/** What should come of [[ThreeStreams]]. */
trait Undisturbed extends SparkSuite with StreamingJoins { self: Suite =>

  /** The results over what has come in some micro-batches: of Spark's batch join or, for windows of rows, of
    * a run that nobody disturbs.
    */
  def undisturbed(sql: String, in: ThreeStreams, batches: Int): Seq[String] = {
    val session = spark
    import session.implicits._
    val streams = new Streams[String](session, ThreeStreams.Names)((_, raw) => ThreeStreams.view(raw))
    for ((name, lines) <- in.lines) streams.add(name, lines.take(batches).flatten: _*)
    if (sql == ThreeStreams.inRows) inCheckpoint(runOver(sql, _).rows) else streams.asTables(stock(sql))
  }
}
