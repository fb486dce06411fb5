package org.streamon.spark.sharing

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.expressions.Literal.TrueLiteral
import org.apache.spark.sql.catalyst.planning.PhysicalOperation
import org.apache.spark.sql.catalyst.plans.logical._
import org.streamon.spark.errors.Refusal

/** A branch of a UNION ALL: columns of the rows for which a condition holds.
  *
  * @param columns
  *   over the rows, by position
  */
private[sharing] final case class FilteredBranch(
    rows: LogicalPlan,
    condition: Expression,
    columns: Seq[Expression]
) {

  /** Equal for branches that read the same rows, and whose columns differ in constants alone. */
  lazy val kind: (LogicalPlan, Seq[Any]) = (
    rows.canonicalized,
    columns.map {
      case constant: Literal => constant.dataType
      case column            => BindReferences.bindReference(column, rows.output)
    }
  )

  /** The condition, over the columns of equal rows. */
  def conditionOver(others: LogicalPlan): Expression = {
    val by = AttributeMap(rows.output.zip(others.output))
    condition.transform { case a: Attribute => by.getOrElse(a, a) }
  }
}

private[sharing] object FilteredBranch {
  def of(branch: LogicalPlan): Either[Refusal, FilteredBranch] = branch match {
    case PhysicalOperation(columns, conditions, rows) if isSteady(rows) =>
      val condition = conditions.reduceOption(And(_, _)).getOrElse(TrueLiteral)
      val values = columns.map {
        case Alias(value, _) => value
        case column          => column
      }
      FitConditions.refusal(condition +: values).toLeft(FilteredBranch(rows, condition, values))
    case _ => Left(Refusal.UnsteadyRows)
  }

  /** Whether rows are the same each time they are read. */
  private def isSteady(rows: LogicalPlan) = rows.deterministic && !rows.exists {
    case _: LocalLimit | _: GlobalLimit | _: Offset | _: Tail | _: Sample => true
    case _                                                                => false
  }
}
