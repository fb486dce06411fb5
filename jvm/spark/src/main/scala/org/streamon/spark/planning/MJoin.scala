package org.streamon.spark.planning

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.streamon.spark.logical.JoinSpec
import org.streamon.spark.settings.JoinSettings

/** An inner join of n streams, two or more (thesis, Chapter 5). */
case class MJoin(inputs: Seq[LogicalPlan], spec: JoinSpec, settings: JoinSettings) extends LogicalPlan {
  override def children: Seq[LogicalPlan] = inputs
  override def output: Seq[Attribute] = inputs.flatMap(_.output)
  override protected def withNewChildrenInternal(newChildren: IndexedSeq[LogicalPlan]): MJoin =
    copy(inputs = newChildren)
}
