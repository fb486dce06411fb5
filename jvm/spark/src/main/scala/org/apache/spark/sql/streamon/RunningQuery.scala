package org.apache.spark.sql.streamon

import java.util.UUID

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.runtime.StreamExecution

/** Streaming queries of an application that run. */
object RunningQuery {

  /** The one whose micro-batch this thread plans, if any. */
  def of(session: SparkSession): Option[StreamExecution] =
    Option(session.sparkContext.getLocalProperty(StreamExecution.QUERY_ID_KEY))
      .flatMap(id => named(session, UUID.fromString(id)))

  /** The session in which the micro-batches of a query run. */
  def sessionOf(query: StreamExecution): SparkSession = query.sparkSessionForStream

  /** Whether a session has started a query. */
  def isOf(query: StreamExecution, session: SparkSession): Boolean =
    query.sparkSession.sessionUUID == session.sessionUUID

  /** Does something as a query of a session would: its settings and its functions hold. */
  def in[T](session: SparkSession)(body: => T): T = session.withActive(body)

  /** The one of this id, in any session. */
  def named(session: SparkSession, id: UUID): Option[StreamExecution] =
    Option(session.sharedState.activeStreamingQueries.get(id))
}
