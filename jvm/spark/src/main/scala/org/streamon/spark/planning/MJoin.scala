package org.streamon.spark.planning

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.streamon.spark.logical.{RowOrder, TwoWayWatermarks}

/** An inner join of n streams (thesis, Chapter 5).
  *
  * @param inputs
  *   two or more
  * @param twoWay
  *   the watermarks of the joins of two that Spark would have, which say what comes too late
  * @param timed
  *   inputs of which the results have the event time, as bits
  * @param keys
  *   by dimension, by input: the parts of its key there, equal part by part in all rows of a result; none for
  *   an input that has no such columns. Inputs that only conditions join have a constant for their key
  * @param placing
  *   how many dimensions, of the first, say in which partition a row is: one that every input has, or those
  *   of a hypercube
  * @param nullSafe
  *   by dimension, by part: whether null equals null
  * @param bounding
  *   by dimension, by part: whether watermarks on it bound the state of all inputs that have it
  * @param residuals
  *   what else must hold, in written order; deterministic
  * @param scopes
  *   by residual, the inputs of the join of two that it is written in, as bits
  * @param orders
  *   by input, how its rows come, when some have windows of rows; else none
  * @param declared
  *   constraints that hints declare
  */
case class MJoin(
    inputs: Seq[LogicalPlan],
    twoWay: TwoWayWatermarks,
    timed: Long,
    keys: Seq[Seq[Seq[Expression]]],
    placing: Int,
    nullSafe: Seq[Seq[Boolean]],
    bounding: Seq[Seq[Boolean]],
    residuals: Seq[Expression],
    scopes: Seq[Long],
    orders: Seq[RowOrder],
    declared: Seq[JoinConstraint],
    settings: JoinSettings
) extends LogicalPlan {
  override def children: Seq[LogicalPlan] = inputs
  override def output: Seq[Attribute] = inputs.flatMap(_.output)
  override protected def withNewChildrenInternal(newChildren: IndexedSeq[LogicalPlan]): MJoin =
    copy(inputs = newChildren)
}

object MJoin {

  /** Whether one key that all inputs have places the rows, by hashing; else a hypercube does, and so it does
    * where some have windows of rows.
    */
  def hashes(keys: Seq[Seq[Seq[Expression]]], placing: Int, orders: Seq[RowOrder]): Boolean =
    placing == 1 && keys.head.forall(_.nonEmpty) && orders.isEmpty
}
