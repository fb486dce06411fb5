package org.streamon.spark.planning

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.{SparkPlan, SparkStrategy}
import org.streamon.spark.execution.selections.MatchRulesExec
import org.streamon.spark.logical.{MatchRules, Pinned}

/** Plans a [[MatchRules]], and what it pins. */
object MatchRulesStrategy extends SparkStrategy {
  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case MatchRules(columns, read, rules, matched, child, keepsAll) =>
      MatchRulesExec(columns, read, rules, matched, planLater(child), keepsAll) :: Nil
    case Pinned(_, child) => planLater(child) :: Nil
    case _                => Nil
  }
}
