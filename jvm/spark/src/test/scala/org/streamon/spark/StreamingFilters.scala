package org.streamon.spark

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.execution.streaming.runtime.StreamingQueryWrapper
import org.apache.spark.sql.streaming.StreamingQuery
import org.scalatest.Suite
import org.streamon.spark.execution.AdaptiveFilterExec

/** Streaming queries with adaptive filters. */
trait StreamingFilters extends SparkSuite { self: Suite =>

  /** Runs a query into a table in memory that has the query's name. */
  def running[T](frame: DataFrame)(body: StreamingQuery => T): T = {
    val name = s"sink${java.util.UUID.randomUUID().toString.replace("-", "")}"
    val query = frame.writeStream.format("memory").queryName(name).start()
    try body(query)
    finally query.stop()
  }

  /** The adaptive filters of the latest micro-batch. */
  def filters(query: StreamingQuery): Seq[AdaptiveFilterExec] = {
    val plan = query.asInstanceOf[StreamingQueryWrapper].streamingQuery.lastExecution.executedPlan
    collectWithSubqueries(plan) { case f: AdaptiveFilterExec => f }
  }
}
