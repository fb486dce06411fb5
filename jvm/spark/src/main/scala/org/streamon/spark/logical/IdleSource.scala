package org.streamon.spark.logical

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, UnaryNode}

/** Hides from the optimizer that a source of a stream has no new rows in a micro-batch. It adds nothing to
  * the physical plan.
  */
case class IdleSource(child: LogicalPlan) extends UnaryNode {
  override def output: Seq[Attribute] = child.output
  override protected def withNewChildInternal(newChild: LogicalPlan): IdleSource = copy(child = newChild)
}
