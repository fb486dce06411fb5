package org.streamon.spark.rules

import scala.util.control.NonFatal

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{FilterExec, SparkPlan}
import org.apache.spark.sql.streamon.{LiveConf, StreamonConf}
import org.streamon.spark.errors.Refusal
import org.streamon.spark.execution.AdaptiveFilterExec
import org.streamon.spark.planning.{FilterPlanner, PythonFilterPlanner}
import org.streamon.spark.util.LogOnce

/** Puts adaptive filters in the place of those of Spark that can profit; on each of the others it leaves the
  * reason, for `why_not`. A failure leaves Spark's own plan.
  */
case class AdaptFilters(session: SparkSession) extends Rule[SparkPlan] {

  override def apply(plan: SparkPlan): SparkPlan =
    try {
      val conf = LiveConf.of(session)
      if (conf.getConf(StreamonConf.Enabled)) adapt(plan, new FilterPlanner(conf)) else plan
    } catch {
      case NonFatal(error) =>
        LogOnce.warn(session, "StreaMon leaves a plan to Spark", error)
        plan
    }

  private def adapt(plan: SparkPlan, planner: FilterPlanner): SparkPlan = {
    var operators = plan.collect { case _: AdaptiveFilterExec => () }.size
    plan.transformUp {
      case filter: FilterExec if filter.getTagValue(FilterPlanner.keptAhead).isEmpty =>
        decide(planner, filter) match {
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

  private def decide(planner: FilterPlanner, filter: FilterExec): Either[Refusal, FilterPlanner.Planned] =
    try planner.plan(filter)
    catch {
      case NonFatal(error) =>
        LogOnce.warn(session, "An adaptive filter could not be planned, so Spark's own runs", error)
        Left(Refusal.RuleFailed(error.getMessage))
    }
}
