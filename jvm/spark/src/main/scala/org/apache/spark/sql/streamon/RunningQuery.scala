package org.apache.spark.sql.streamon

import java.util.UUID

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.runtime.StreamExecution

/** The streaming query whose micro-batch this thread plans, if any. */
object RunningQuery {
  def of(session: SparkSession): Option[StreamExecution] =
    Option(session.sparkContext.getLocalProperty(StreamExecution.QUERY_ID_KEY))
      .flatMap(id => Option(session.sharedState.activeStreamingQueries.get(UUID.fromString(id))))
}
