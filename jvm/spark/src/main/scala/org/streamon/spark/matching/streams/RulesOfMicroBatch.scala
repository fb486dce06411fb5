package org.streamon.spark.matching.streams

import org.apache.spark.sql.{classic, SparkSession}
import org.apache.spark.sql.catalyst.expressions.{
  CurrentBatchTimestamp,
  CurrentDate,
  CurrentTimestamp,
  LocalTimestamp
}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.CURRENT_LIKE
import org.apache.spark.sql.streamon.MicroBatch

/** Plans each micro-batch of a stream with the rules that it is to have. Elsewhere, as where a stream is
  * explained, those that were there when the call was analyzed.
  */
final case class RulesOfMicroBatch(session: SparkSession) extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformDown { case call: MatchChangingRules =>
    inMicroBatch(call).getOrElse(call.having(call.source.initial))
  }

  private def inMicroBatch(call: MatchChangingRules): Option[LogicalPlan] = session match {
    case s: classic.SparkSession =>
      for {
        batch <- MicroBatch.of(s)
        rules <- QueryRules.of(batch.query).in(batch, call.source)
      } yield timed(batch, call.having(rules))
    case _ => None
  }

  /** What reads the clock reads the time of the micro-batch, as Spark has it. When Spark looked for it, these
    * conditions were not in the plan.
    */
  private def timed(batch: MicroBatch, plan: LogicalPlan): LogicalPlan =
    if (plan.containsPattern(CURRENT_LIKE)) batch.time.fold(plan)(at(_, plan)) else plan

  private def at(millis: Long, plan: LogicalPlan): LogicalPlan =
    plan.transformAllExpressionsWithPruning(_.containsPattern(CURRENT_LIKE)) {
      // It needs no time zone, but an expression without one is not resolved.
      case now: CurrentTimestamp => CurrentBatchTimestamp(millis, now.dataType, Some("UTC"))
      case now: LocalTimestamp   => CurrentBatchTimestamp(millis, now.dataType, now.timeZoneId)
      case today: CurrentDate    => CurrentBatchTimestamp(millis, today.dataType, today.timeZoneId)
    }
}
