package org.apache.spark.sql.streamon

import org.apache.spark.sql.classic.SparkSession

/** The session that a query was started in: a streaming query runs in a clone of it. */
object SessionOfUser {
  def id(session: SparkSession): String =
    RunningQuery.of(session).fold(session)(_.sparkSession).sessionUUID
}
