package org.streamon.spark.sharing

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.Literal.TrueLiteral
import org.apache.spark.sql.catalyst.plans.logical._
import org.streamon.spark.sharing.MatchedRows.Exploded

/** A branch of a UNION ALL: what is made of the rows for which a condition holds. */
private[sharing] trait Branch {
  def rows: LogicalPlan

  /** Over the rows. */
  def condition: Expression

  /** The columns of the branch, and conditions that [[over]] needs besides. */
  def parts: Seq[Expression]

  /** Columns of the rows that are read apart from the condition. */
  def read: AttributeSet

  /** Equal for branches that read the same rows, and differ in their conditions and in constants of their
    * parts alone.
    */
  def kind: Any

  /** Branches of this kind in one plan.
    *
    * @param matches
    *   the rows, with the numbers of the branches whose conditions hold
    * @param parts
    *   of all branches, over what the parts of this one are over, and the number
    * @param output
    *   the columns of the plan
    */
  def over(matches: Exploded, parts: Seq[Expression], output: Seq[Attribute]): LogicalPlan
}

private[sharing] object Branch {

  /** Whether rows are the same each time they are read. */
  def isSteady(rows: LogicalPlan): Boolean = rows.deterministic && !rows.exists {
    case _: LocalLimit | _: GlobalLimit | _: Offset | _: Tail | _: Sample => true
    case _                                                                => false
  }

  def conjunction(conditions: Seq[Expression]): Expression =
    conditions.reduceOption(And(_, _)).getOrElse(TrueLiteral)

  /** An expression over some columns, over others in their places. */
  def moved(e: Expression, from: Seq[Attribute], to: Seq[Attribute]): Expression = {
    val by = AttributeMap(from.zip(to))
    e.transform { case a: Attribute => by.getOrElse(a, a) }
  }

  /** The values of columns, over the columns of rows as the rows have them: a filter above them may have told
    * that a column is not null.
    */
  def valuesOf(list: Seq[NamedExpression], rows: LogicalPlan): Seq[Expression] = list.map {
    case Alias(value, _) => moved(value, rows.output, rows.output)
    case other           => moved(other, rows.output, rows.output)
  }
}
