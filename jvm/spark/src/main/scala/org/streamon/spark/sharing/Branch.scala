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

  /** The expression with columns replaced, by position. */
  def moved(e: Expression, from: Seq[Attribute], to: Seq[Expression]): Expression = {
    val by = AttributeMap(from.zip(to))
    e.transform { case a: Attribute => by.getOrElse(a, a) }
  }

  def valueOf(column: NamedExpression): Expression = column match {
    case Alias(value, _) => value
    case other           => other
  }
}
