package org.streamon.spark.rules

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.execution.{FilterExec, SparkPlan}
import org.apache.spark.sql.internal.SQLConf
import org.streamon.spark.errors.Refusal
import org.streamon.spark.execution.AdaptiveFilterExec
import org.streamon.spark.planning.{FilterPlanner, PythonFilterPlanner}

/** Replaces Spark's filters by adaptive filters where they can profit. The other filters are tagged with the
  * reason, for `why_not`.
  */
case class AdaptFilters(session: SparkSession) extends FilterRule {

  override protected def adapt(plan: SparkPlan, conf: SQLConf): SparkPlan = {
    val planner = new FilterPlanner(conf)
    var operators = plan.collect { case _: AdaptiveFilterExec => () }.size
    plan.transformUp {
      case filter: FilterExec if filter.getTagValue(FilterPlanner.keptAhead).isEmpty =>
        decided(planner.plan(filter)) match {
          case Right(planned) =>
            operators += 1
            // Tags go over to what comes in its place.
            filter.unsetTagValue(Refusal.tag)
            planned.plan(filter.child, operators)
          case Left(refusal) =>
            // Of a filter on Python functions AdaptPythonFilters has said why it stays.
            if (!PythonFilterPlanner.isOnFunctions(filter)) filter.setTagValue(Refusal.tag, refusal)
            filter
        }
    }
  }
}
