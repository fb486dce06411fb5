package org.streamon.spark.logical

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.{TreeNodeTag, TreePattern}

/** Marks what reads the clock in a streaming query: in each micro-batch Spark puts a time in its place,
  * before joins are collapsed, and a condition on it looks like any other. It is not: what it says depends on
  * when it is asked, which in a chain of joins is when two rows meet and in an MJoin when all have.
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
