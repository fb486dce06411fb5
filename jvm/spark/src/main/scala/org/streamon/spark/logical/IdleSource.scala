package org.streamon.spark.logical

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, UnaryNode}

/** A source of a stream that has no new rows in a micro-batch, which the optimizer is not to see. Planned as
  * if it was not there.
  */
case class IdleSource(child: LogicalPlan) extends UnaryNode {
  override def output: Seq[Attribute] = child.output
  override protected def withNewChildInternal(newChild: LogicalPlan): IdleSource = copy(child = newChild)
}
