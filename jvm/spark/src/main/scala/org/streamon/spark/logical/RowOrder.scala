package org.streamon.spark.logical

import org.apache.spark.sql.catalyst.expressions.{AttributeSet, Expression, Unevaluable}
import org.apache.spark.sql.streamon.SparkInternals
import org.apache.spark.sql.types.{DataType, NullType}

/** The order in which the rows of an input enter an MJoin with windows of rows, and the window of the input.
  * It is an expression, so that rules see the columns that it reads.
  *
  * @param time
  *   the event time, with a watermark
  * @param place
  *   the position of the input in the query. Rows with the same time are ordered by it
  * @param window
  *   none for an input without a window of rows
  */
case class RowOrder(time: Expression, place: Int, window: Option[RowsWindow])
    extends Expression
    with Unevaluable {
  override def children: Seq[Expression] = time +: window.toSeq
  override def nullable: Boolean = false
  override def dataType: DataType = NullType
  override protected def withNewChildrenInternal(newChildren: IndexedSeq[Expression]): RowOrder =
    copy(time = newChildren.head, window = newChildren.lift(1).map(_.asInstanceOf[RowsWindow]))
}

object RowOrder {

  /** The inputs whose windows of rows can be told only by a partition that sees every row: all but those
    * whose groups lie in one place each.
    *
    * @param keys
    *   of the dimensions that place rows, by input, part by part
    */
  def everywhere(orders: Seq[RowOrder], keys: Seq[Seq[Seq[Expression]]]): Set[Int] =
    orders.indices
      .filter(i => orders(i).window.exists(w => !keys.flatMap(_(i)).forall(isOfGroup(_, w))))
      .toSet

  /** Whether a key is the same in all rows of a group. A zero may have either sign there. */
  private def isOfGroup(key: Expression, window: RowsWindow) = {
    val columns = key.references
    window.groups.exists(_.semanticEquals(key)) ||
    columns.subsetOf(AttributeSet(window.groups.flatMap(_.references))) &&
    !columns.exists(column => SparkInternals.hasFloats(column.dataType))
  }
}

/** A CQL window of rows: the last `rows` rows of each group by event time.
  *
  * @param tie
  *   orders rows with the same time
  * @param groups
  *   the columns of `PARTITION BY`; empty for the whole stream
  */
case class RowsWindow(rows: Int, tie: Expression, groups: Seq[Expression])
    extends Expression
    with Unevaluable {
  override def children: Seq[Expression] = tie +: groups
  override def nullable: Boolean = false
  override def dataType: DataType = NullType
  override def sql: String =
    (if (groups.isEmpty) "" else groups.map(_.sql).mkString("PARTITION BY ", ", ", " ")) + s"ROWS $rows"
  override def toString: String = sql
  override protected def withNewChildrenInternal(newChildren: IndexedSeq[Expression]): RowsWindow =
    copy(tie = newChildren.head, groups = newChildren.tail)
}
