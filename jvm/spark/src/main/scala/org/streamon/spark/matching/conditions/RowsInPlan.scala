package org.streamon.spark.matching.conditions

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, Cast, NamedExpression}
import org.apache.spark.sql.catalyst.plans.logical._

/** The rows of a table that are in its plan as they are, as those of `VALUES` and of a local frame are. For
  * few rules a query for them takes a third of the time of a call.
  */
private[conditions] object RowsInPlan {

  /** Rows, and the places of some columns in them. */
  final case class Found(rows: Seq[InternalRow], ordinals: Seq[Int])

  /** @param table
    *   analyzed
    * @param columns
    *   of the table
    * @return
    *   None where anything has to be computed or read, which is left to a query
    */
  def apply(table: LogicalPlan, columns: Seq[Attribute]): Option[Found] = table match {
    case rows: LocalRelation  => Some(Found(rows.data, columns.map(c => rows.output.indexWhere(isSame(c)))))
    case alias: SubqueryAlias => apply(alias.child, columns)
    case view: View           => apply(view.child, columns)
    case Project(list, child) =>
      val below = columns.map(c => list.find(isSame(c)))
      val plain = below.collect {
        case Some(a: Attribute)           => a
        case Some(Alias(a: Attribute, _)) => a
        // A view casts its columns to the types that they have.
        case Some(Alias(Cast(a: Attribute, dataType, _, _), _)) if dataType == a.dataType => a
      }
      if (plain.size == columns.size) apply(child, plain) else None
    case _ => None
  }

  private def isSame(column: Attribute)(other: NamedExpression) = other.exprId == column.exprId
}
