package org.streamon.spark.logical

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical._

/** An input in a block of joins with windows of rows. The window is over the relation below. No rule pushes a
  * filter through this node, since a filter does not commute with a window of rows (thesis, Section 2.2).
  *
  * @param name
  *   the name of the input, for errors
  * @param block
  *   the number of the block of joins, the same for all its inputs. They become one MJoin, or none
  * @param inputs
  *   the number of inputs of the block
  */
case class OrderedInput(order: RowOrder, name: String, block: Long, inputs: Int, child: LogicalPlan)
    extends UnaryNode {

  /** Without what only says which row comes first. */
  override def output: Seq[Attribute] = {
    val ties = order.window.map(_.tie.references)
    child.output.filterNot(column => ties.exists(_.contains(column)))
  }

  override protected def withNewChildInternal(newChild: LogicalPlan): OrderedInput = copy(child = newChild)
}

object OrderedInput {

  /** The inputs that make up a tree of joins, from left to right; none when others are among them, or they
    * are not of one block, or some more than once.
    */
  def block(join: Join): Option[Seq[OrderedInput]] = {
    val inputs = leaves(join)
    val ordered = inputs.collect { case input: OrderedInput => input }
    Option.when(
      ordered.size == inputs.size && ordered.map(_.block).distinct.size == 1 &&
        ordered.map(_.order.place).distinct.size == ordered.size
    )(ordered)
  }

  private def leaves(plan: LogicalPlan): Seq[LogicalPlan] = plan match {
    case join: Join             => leaves(join.left) ++ leaves(join.right)
    case _: Project | _: Filter => leaves(plan.children.head)
    case other                  => Seq(other)
  }
}
