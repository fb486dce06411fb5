package org.streamon.spark.inspection

import org.apache.spark.sql.{classic, SparkSession}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.streamon.RunningQuery

/** Records each streaming query in the [[QueryLog]], in each of its micro-batches. The rule does not change
  * plans. An application has a log from its first session on.
  */
final case class LogStreams(session: SparkSession) extends Rule[LogicalPlan] {
  private val queries = QueryLog.of(session.sparkContext)

  override def apply(plan: LogicalPlan): LogicalPlan = {
    session match {
      case of: classic.SparkSession if QueryLog.isOn(of) => RunningQuery.of(of).foreach(queries.started)
      case _                                             => ()
    }
    plan
  }
}
