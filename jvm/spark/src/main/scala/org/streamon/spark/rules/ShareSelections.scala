package org.streamon.spark.rules

import scala.util.control.NonFatal

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.catalyst.trees.TreePattern.{AGGREGATE_EXPRESSION, CASE_WHEN, IF, UNION}
import org.apache.spark.sql.streamon.StreamonConf
import org.streamon.spark.errors.Refusal
import org.streamon.spark.sharing.Sharing
import org.streamon.spark.util.LogOnce

/** Evaluates conditions that a query has over the same rows together, where a setting asks for it. Operators
  * that are left as they are get a tag with the reason, for `why_not`. If sharing fails, Spark's own plan
  * stays.
  */
case class ShareSelections(session: SparkSession) extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    if (
      conf.getConf(StreamonConf.MatchShare) == "auto" && conf.getConf(StreamonConf.Enabled) &&
      plan.containsAnyPattern(UNION, AGGREGATE_EXPRESSION, CASE_WHEN, IF)
    ) new Sharing(conf)(decided)(plan)
    else plan

  private def decided(plan: LogicalPlan, shared: => Option[Either[Refusal, LogicalPlan]]): LogicalPlan =
    attempt(shared) match {
      case Some(Right(found)) => found
      case Some(Left(reason)) =>
        plan.setTagValue(ShareSelections.refusal, reason)
        plan
      case None => plan
    }

  private def attempt(shared: => Option[Either[Refusal, LogicalPlan]]) =
    try shared
    catch {
      case NonFatal(error) =>
        LogOnce.warn(session, "Sharing conditions failed, so Spark's own plan is used", error)
        Some(Left(Refusal.SharingFailed(error.getMessage)))
    }
}

object ShareSelections {

  /** Why the conditions of an operator of an optimized plan are not shared. */
  val refusal: TreeNodeTag[Refusal] = TreeNodeTag[Refusal]("streamon.sharing.refusal")
}
