package org.streamon.spark.logical

import org.apache.spark.sql.catalyst.expressions.{Attribute, ExpressionSet}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, UnaryNode}

/** Hides from the optimizer which columns of a plan are read and which rows, and what is known of its rows. A
  * stateful operator on one side has the same state then, whatever stands on the other side in a micro-batch.
  * It adds nothing to the physical plan.
  *
  * @param columns
  *   all of the plan
  */
case class Pinned(columns: Seq[Attribute], child: LogicalPlan) extends UnaryNode {
  override def output: Seq[Attribute] = child.output
  override protected lazy val validConstraints: ExpressionSet = ExpressionSet()
  override protected def withNewChildInternal(newChild: LogicalPlan): Pinned = copy(child = newChild)
}

object Pinned {
  def apply(plan: LogicalPlan): Pinned = Pinned(plan.output, plan)
}
