package org.streamon.spark.inspection

import org.apache.spark.sql.{classic, SparkSession}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.streamon.RunningQuery

/** Tells the [[QueryLog]] of each streaming query, in each of its micro-batches. Changes nothing. From its
  * first session on an application has a log.
  */
final case class LogStreams(session: SparkSession) extends Rule[LogicalPlan] {
  private val queries = QueryLog.of(session.sparkContext)

  override def apply(plan: LogicalPlan): LogicalPlan = {
    session match {
      case of: classic.SparkSession => RunningQuery.of(of).foreach(queries.started)
      case _                        => ()
    }
    plan
  }
}
