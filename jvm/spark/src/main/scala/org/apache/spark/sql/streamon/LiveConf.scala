package org.apache.spark.sql.streamon

import java.util.UUID

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.classic
import org.apache.spark.sql.execution.streaming.runtime.StreamExecution
import org.apache.spark.sql.internal.SQLConf

/** The settings in force for the plan at hand. A streaming query runs in a clone of its session, taken at its
  * start; what the user sets afterwards in the session itself is laid over the clone, so that it holds from
  * the next micro-batch on.
  */
object LiveConf {
  def of(session: SparkSession): SQLConf = session match {
    case s: classic.SparkSession =>
      val cloned = s.sessionState.conf
      Option(s.sparkContext.getLocalProperty(StreamExecution.QUERY_ID_KEY))
        .flatMap(id => Option(s.sharedState.activeStreamingQueries.get(UUID.fromString(id))))
        .map(query => overlay(cloned, query.sparkSession.sessionState.conf))
        .getOrElse(cloned)
    case _ => SQLConf.get
  }

  private def overlay(cloned: SQLConf, live: SQLConf): SQLConf = {
    val merged = cloned.clone()
    StreamonConf.all.foreach { entry =>
      if (live.contains(entry.key)) merged.setConfString(entry.key, live.getConfString(entry.key))
      else merged.unsetConf(entry)
    }
    merged
  }
}
