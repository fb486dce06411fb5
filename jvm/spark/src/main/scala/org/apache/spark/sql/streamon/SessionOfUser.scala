package org.apache.spark.sql.streamon

import org.apache.spark.sql.classic.SparkSession

/** The session in which a query was started. A streaming query runs in a clone of it. */
object SessionOfUser {
  def id(session: SparkSession): String =
    RunningQuery.of(session).fold(session)(_.sparkSession).sessionUUID
}
