package org.streamon.spark.logical

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.{TreeNodeTag, TreePattern}

/** Tags the expressions of a streaming query that read the clock. In each micro-batch Spark replaces them by
  * a constant before joins are collapsed, so later a condition on the clock looks like any other. But its
  * value depends on the moment of evaluation: in a chain of joins when two rows meet, in an MJoin when all
  * rows do.
  */
object MarkClock extends Rule[LogicalPlan] {
  private val tag = TreeNodeTag[Unit]("streamon.clock")

  override def apply(plan: LogicalPlan): LogicalPlan = {
    if (plan.isStreaming && plan.containsPattern(TreePattern.CURRENT_LIKE))
      plan.foreach(_.expressions.foreach(mark))
    plan
  }

  private def mark(e: Expression): Unit =
    e.foreach(node => if (node.exists(isClock)) node.setTagValue(tag, ()))

  /** Those other than `now()` and `current_time()` are not deterministic when the query runs, but look like
    * constants where it is explained.
    */
  private def isClock(e: Expression) = e match {
    case _: CurrentTimestampLike | _: CurrentDate | _: LocalTimestamp | _: CurrentTime => true
    case _                                                                             => false
  }

  /** Whether an expression of an optimized plan reads the clock. */
  def reads(e: Expression): Boolean = e.exists(_.containsTag(tag))
}
