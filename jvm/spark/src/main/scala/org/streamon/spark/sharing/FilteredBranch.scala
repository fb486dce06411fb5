package org.streamon.spark.sharing

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.planning.PhysicalOperation
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}
import org.streamon.spark.errors.Refusal
import org.streamon.spark.sharing.MatchedRows.{named, Exploded}

/** A branch of a UNION ALL with the rows for which a condition holds.
  *
  * @param parts
  *   its columns, over the rows
  */
private[sharing] final case class FilteredBranch(
    rows: LogicalPlan,
    condition: Expression,
    parts: Seq[Expression]
) extends Branch {
  override lazy val kind: Any =
    (rows.canonicalized, BindReferences.bindReferences(parts, rows.output).map(ApartFromConstants.kind))

  override def read: AttributeSet = AttributeSet(parts.flatMap(_.references))

  override def over(matches: Exploded, parts: Seq[Expression], output: Seq[Attribute]): LogicalPlan =
    Project(parts.zip(output).map { case (part, column) => named(part, column) }, matches.rows)
}

private[sharing] object FilteredBranch {
  def of(branch: LogicalPlan): Either[Refusal, FilteredBranch] = branch match {
    case PhysicalOperation(list, conditions, rows) if Branch.isSteady(rows) =>
      val condition = Branch.conjunction(conditions)
      // With the nullability of the rows. A filter may have narrowed it for one branch.
      val columns = list.map(column => Branch.moved(Branch.valueOf(column), rows.output, rows.output))
      FitConditions.refusal(condition +: columns).toLeft(FilteredBranch(rows, condition, columns))
    case _ => Left(Refusal.UnsteadyRows)
  }
}
