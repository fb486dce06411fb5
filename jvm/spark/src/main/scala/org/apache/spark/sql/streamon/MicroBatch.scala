package org.apache.spark.sql.streamon

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.runtime.{MicroBatchExecution, StreamExecution}

/** A micro-batch of a query. */
final case class MicroBatch(query: StreamExecution, id: Long) {

  /** When it was begun first, in milliseconds since 1970. */
  def time: Option[Long] = query.offsetLog.offsetSeqMetadataForBatchId(id).map(_.batchTimestampMs)

  /** Whether an error comes from stopping the query. */
  def isStopped(error: Throwable): Boolean =
    !query.isActive || StreamExecution.isInterruptionException(error, query.sparkSession.sparkContext)
}

object MicroBatch {

  /** The one that this thread plans or runs, if any. */
  def of(session: SparkSession): Option[MicroBatch] = for {
    query <- RunningQuery.of(session)
    id <- Option(session.sparkContext.getLocalProperty(MicroBatchExecution.BATCH_ID_KEY))
  } yield MicroBatch(query, id.toLong)
}
