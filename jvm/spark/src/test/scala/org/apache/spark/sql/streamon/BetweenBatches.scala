package org.apache.spark.sql.streamon

import org.apache.spark.sql.execution.streaming.runtime.{MicroBatchExecution, StreamingQueryWrapper}
import org.apache.spark.sql.streaming.StreamingQuery

/** Acts while no micro-batch is cut, so that what it adds to several streams comes in one. */
object BetweenBatches {
  def apply(query: StreamingQuery)(body: => Unit): Unit =
    query
      .asInstanceOf[StreamingQueryWrapper]
      .streamingQuery
      .asInstanceOf[MicroBatchExecution]
      .withProgressLocked(body)
}
