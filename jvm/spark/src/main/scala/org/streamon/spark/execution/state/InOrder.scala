package org.streamon.spark.execution.state

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, Literal}
import org.streamon.spark.logical.RowOrder

/** The order in which an MJoin with windows of rows processes rows: by event time, then by the position of
  * the input, then by a tie breaker.
  */
final case class InOrder(inputs: IndexedSeq[InOrder.Input]) {

  /** By input, whether it has a window of rows. */
  def windowed: IndexedSeq[Boolean] = inputs.map(_.window.nonEmpty)
}

object InOrder {

  /** @param time
    *   the column of the event time
    * @param everywhere
    *   whether its rows are sent to all partitions, those that they do not join in as well, to be counted
    */
  final case class Input(time: Int, place: Int, window: Option[Window], everywhere: Boolean)

  /** The last `rows` of each group.
    *
    * @param tie
    *   the column by which the rows of one time are in order
    * @param groups
    *   at least one expression, a constant for the stream as a whole
    */
  final case class Window(rows: Int, tie: Int, groups: Seq[Expression])

  /** @param orders
    *   by input
    * @param inputs
    *   the columns of each
    */
  def apply(orders: Seq[RowOrder], inputs: IndexedSeq[Seq[Attribute]], everywhere: Set[Int]): InOrder = {
    def column(input: Int, e: Expression) =
      inputs(input).indexWhere(c => e.references.exists(_.exprId == c.exprId))
    InOrder(orders.indices.map { i =>
      val window = orders(i).window.map { w =>
        Window(w.rows, column(i, w.tie), if (w.groups.isEmpty) Seq(Literal(0)) else w.groups)
      }
      Input(column(i, orders(i).time), orders(i).place, window, everywhere(i))
    })
  }
}
