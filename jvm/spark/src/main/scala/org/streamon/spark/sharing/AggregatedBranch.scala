package org.streamon.spark.sharing

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.expressions.aggregate.{AggregateExpression, Max}
import org.apache.spark.sql.catalyst.planning.PhysicalOperation
import org.apache.spark.sql.catalyst.plans.logical._
import org.streamon.spark.errors.Refusal
import org.streamon.spark.selections.SameExpression
import org.streamon.spark.sharing.MatchedRows.{named, Exploded}

/** A branch of a UNION ALL with aggregates of the rows for which a condition holds.
  *
  * @param keys
  *   of the groups, over the rows, without constants
  * @param functions
  *   the aggregates, over the rows
  * @param parts
  *   its columns, and the condition of HAVING if it has one, over the keys and the functions
  * @param isGrouped
  *   whether there are no groups without rows. Else there is one row, even if there are no rows
  */
private[sharing] final case class AggregatedBranch(
    rows: LogicalPlan,
    condition: Expression,
    keys: Seq[Alias],
    functions: Seq[Alias],
    parts: Seq[Expression],
    isGrouped: Boolean
) extends Branch {
  import AggregatedBranch._

  override lazy val kind: Any = {
    val values = (keys ++ functions).map(_.toAttribute)
    (
      rows.canonicalized,
      isGrouped,
      (keys ++ functions).map(of => withoutId(BindReferences.bindReference(of.child, rows.output))),
      BindReferences.bindReferences(parts, values).map(ApartFromConstants.kind)
    )
  }

  override def read: AttributeSet = AttributeSet((keys ++ functions).flatMap(_.references))

  override def over(matches: Exploded, parts: Seq[Expression], output: Seq[Attribute]): LogicalPlan = {
    val groups: LogicalPlan =
      if (isGrouped)
        Aggregate(
          keys.map(_.child) :+ matches.number,
          (keys :+ matches.number) ++ functions,
          matches.rows
        )
      else eachOnce(matches)
    // HAVING may guard a column from an error.
    val (columns, having) = parts.splitAt(output.size)
    val kept = having.foldLeft(groups)((all, condition) => Filter(condition, all))
    Project(columns.zip(output).map { case (part, column) => named(part, column) }, kept)
  }

  /** A row for each branch, with its number. That of a branch without rows has what aggregates of no rows
    * have.
    */
  private def eachOnce(matches: Exploded): Aggregate = {
    val found = Aggregate(
      Seq(matches.number),
      matches.number +: functions.map(f => Alias(f.child, f.name)()),
      matches.rows
    )
    val nulls = Seq.fill(functions.size)(null)
    val none = LocalRelation(
      matches.number.newInstance() +: functions.map(f => AttributeReference(f.name, f.dataType)()),
      (0 until matches.count).map(number => InternalRow.fromSeq(number +: nulls))
    )
    val all = Union(found, none)
    val values = functions.zip(all.output.tail).map { case (function, value) =>
      val own = Max(value).toAggregateExpression()
      val ofNone = aggregateOf(function).aggregateFunction.defaultResult
      Alias(ofNone.fold(own: Expression)(d => Coalesce(Seq(own, d))), function.name)(function.exprId)
    }
    Aggregate(Seq(all.output.head), all.output.head +: values, all)
  }
}

private[sharing] object AggregatedBranch extends AliasHelper {

  /** None for a branch without an aggregate. */
  def of(branch: LogicalPlan): Option[Either[Refusal, AggregatedBranch]] = branch match {
    case PhysicalOperation(list, having, aggregate: Aggregate) => Some(of(list, having, aggregate))
    case _                                                     => None
  }

  private def of(
      list: Seq[NamedExpression],
      having: Seq[Expression],
      aggregate: Aggregate
  ): Either[Refusal, AggregatedBranch] = aggregate.child match {
    case PhysicalOperation(below, conditions, rows) if Branch.isSteady(rows) =>
      val (made, computed) = (getAliasMap(aggregate.aggregateExpressions), getAliasMap(below))
      def overRows(e: Expression) =
        Branch.moved(replaceAlias(replaceAlias(e, made), computed), rows.output, rows.output)
      val condition = Branch.conjunction(conditions)
      val keys = aggregate.groupingExpressions.map(overRows)
      val written = (Branch.valuesOf(list, aggregate) ++ having.reduceOption(And(_, _))).map(overRows)
      val functions = written.flatMap(_.collect { case e: AggregateExpression => e }).distinctBy(key)
      functions
        .flatMap(ConditionalAggregate.refusal)
        .headOption
        .orElse(FitConditions.refusal(condition +: (keys ++ written)))
        .orElse(GroupingKeys.refusal(keys))
        .toLeft {
          val groups = keys.filterNot(_.isInstanceOf[Literal]).map(Alias(_, "key")())
          val values = functions.map(Alias(_, "value")())
          val parts = written.map(overGroups(_, groups, values))
          AggregatedBranch(rows, condition, groups, values, parts, isGrouped = keys.nonEmpty)
        }
    case _ => Left(Refusal.UnsteadyRows)
  }

  private def overGroups(e: Expression, keys: Seq[Alias], functions: Seq[Alias]): Expression = {
    val valueOf = functions.map(f => key(aggregateOf(f)) -> f.toAttribute).toMap
    def groupOf(e: Expression) = keys.find(_.child.semanticEquals(e)).map(_.toAttribute)
    e.transformDown {
      case function: AggregateExpression => valueOf(key(function))
      case other                         => groupOf(other).getOrElse(other)
    }
  }

  private def aggregateOf(function: Alias) = function.child.asInstanceOf[AggregateExpression]

  private def key(function: AggregateExpression): Any = SameExpression.key(withoutId(function))

  /** Equal aggregates have ids of their own. */
  private def withoutId(e: Expression): Expression = e match {
    case function: AggregateExpression => function.copy(resultId = ExprId(0))
    case other                         => other
  }
}
