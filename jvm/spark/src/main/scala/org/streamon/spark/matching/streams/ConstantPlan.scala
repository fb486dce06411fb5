package org.streamon.spark.matching.streams

import org.apache.spark.sql.catalyst.expressions.{Expression, RuntimeReplaceable, UserDefinedExpression}
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.trees.TreePattern.{CURRENT_LIKE, PLAN_EXPRESSION}
import org.streamon.spark.expressions.ReadsClock

/** Whether a plan gives the same rows whenever it is executed, since the plan itself has them. An RDD may
  * read anything, and so may a function of the program.
  */
private[streams] object ConstantPlan {
  def apply(plan: LogicalPlan): Boolean =
    !plan.containsAnyPattern(CURRENT_LIKE, PLAN_EXPRESSION) && !plan.exists(mayChange)

  private def mayChange(node: LogicalPlan): Boolean = node match {
    case _: LocalRelation | _: OneRowRelation | _: Range | _: Project | _: Filter | _: Generate | _: Union |
        _: SubqueryAlias | _: View =>
      node.expressions.exists(mayChange)
    case _ => true
  }

  private def mayChange(e: Expression): Boolean =
    !e.deterministic || e.exists {
      case _: UserDefinedExpression     => true
      case replaced: RuntimeReplaceable => mayChange(replaced.replacement)
      case other                        => ReadsClock(other)
    }
}
