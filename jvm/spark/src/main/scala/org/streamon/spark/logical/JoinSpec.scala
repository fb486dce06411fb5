package org.streamon.spark.logical

import org.apache.spark.sql.catalyst.expressions.{Expression, Unevaluable}
import org.apache.spark.sql.types.{DataType, NullType}
import org.streamon.core.constraints.JoinConstraint

/** What an n-ary join of streams joins, and what bounds its state: the same in its logical plan, its operator
  * and its tasks. It is an expression, as Spark's own `WindowSpecDefinition` is, so that rules treat what it
  * reads as they treat what any operator reads. Inputs, and sets of them as bits, go by number.
  *
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
  *   by residual, the inputs of the join of two that it is written in
  * @param orders
  *   by input, how its rows come, when some have windows of rows; else none
  * @param twoWay
  *   the watermarks of the joins of two that Spark would have, which say what comes too late
  * @param timed
  *   inputs of which the results have the event time
  * @param declared
  *   constraints that hints declare
  */
case class JoinSpec(
    keys: Seq[Seq[Seq[Expression]]],
    placing: Int,
    nullSafe: Seq[Seq[Boolean]],
    bounding: Seq[Seq[Boolean]],
    residuals: Seq[Expression],
    scopes: Seq[Long],
    orders: Seq[RowOrder],
    twoWay: TwoWayWatermarks,
    timed: Long,
    declared: Seq[JoinConstraint]
) extends Expression
    with Unevaluable {

  /** Whether one key that all inputs have places the rows, by hashing; else a hypercube does, and so it does
    * where some have windows of rows.
    */
  def hashes: Boolean = placing == 1 && keys.head.forall(_.nonEmpty) && orders.isEmpty

  /** The keys that place rows, by dimension, by input. */
  def placingKeys: Seq[Seq[Seq[Expression]]] = keys.take(placing)

  /** The inputs whose rows are sent to all partitions. */
  def everywhere: Set[Int] = RowOrder.everywhere(orders, placingKeys)

  override def children: Seq[Expression] = keys.flatten.flatten ++ residuals ++ orders
  override def nullable: Boolean = false
  override def dataType: DataType = NullType
  override protected def withNewChildrenInternal(newChildren: IndexedSeq[Expression]): JoinSpec = {
    val next = newChildren.iterator
    copy(
      keys = keys.map(_.map(_.map(_ => next.next()))),
      residuals = residuals.map(_ => next.next()),
      orders = orders.map(_ => next.next().asInstanceOf[RowOrder])
    )
  }
}
