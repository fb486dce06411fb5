package org.streamon.spark.planning

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

/** An inner join of n streams on keys that all of them have (thesis, Chapter 5).
  *
  * @param inputs
  *   two or more
  * @param keys
  *   for each input its key, part by part: row for row the parts of all inputs are equal in a result
  * @param nullSafe
  *   by part of the key: whether null equals null
  * @param residuals
  *   what else must hold, in written order; deterministic
  */
case class MJoin(
    inputs: Seq[LogicalPlan],
    keys: Seq[Seq[Expression]],
    nullSafe: Seq[Boolean],
    residuals: Seq[Expression],
    settings: JoinSettings
) extends LogicalPlan {
  override def children: Seq[LogicalPlan] = inputs
  override def output: Seq[Attribute] = inputs.flatMap(_.output)
  override protected def withNewChildrenInternal(newChildren: IndexedSeq[LogicalPlan]): MJoin =
    copy(inputs = newChildren)
}
