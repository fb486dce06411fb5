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
  *   whether there is a GROUP BY. Without it there is one row, even for no rows
  */
private[sharing] final case class AggregatedBranch(
    rows: LogicalPlan,
    condition: Expression,
    keys: Seq[NamedExpression],
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
      (keys ++ functions).map { column =>
        withoutId(BindReferences.bindReference(Branch.valueOf(column), rows.output))
      },
      BindReferences.bindReferences(parts, values).map(ApartFromConstants.kind)
    )
  }

  override def read: AttributeSet = AttributeSet((keys ++ functions).flatMap(_.references))

  override def over(matches: Exploded, parts: Seq[Expression], output: Seq[Attribute]): LogicalPlan = {
    val groups: LogicalPlan =
      if (isGrouped)
        Aggregate(
          keys.map(Branch.valueOf) :+ matches.number,
          (keys :+ matches.number) ++ functions,
          matches.rows
        )
      else eachOnce(matches)
    // HAVING may guard a column from an error.
    val (columns, having) = parts.splitAt(output.size)
    val kept = having.foldLeft(groups)((all, condition) => Filter(condition, all))
    Project(columns.zip(output).map { case (part, column) => named(part, column) }, kept)
  }

  /** A row for each branch, in their order. A branch without rows has the results of aggregates over no rows:
    * it gets a row of nulls, which [[Max]] leaves out beside a row that was found.
    */
  private def eachOnce(matches: Exploded): LogicalPlan = {
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
    val all = Repartition(1, shuffle = true, Union(found, none))
    val values = functions.zip(all.output.tail).map { case (function, value) =>
      val own = Max(value).toAggregateExpression()
      val ofNone = aggregateOf(function).aggregateFunction.defaultResult
      Alias(ofNone.fold(own: Expression)(d => Coalesce(Seq(own, d))), function.name)(function.exprId)
    }
    val number = all.output.head
    Sort(Seq(SortOrder(number, Ascending)), global = false, Aggregate(Seq(number), number +: values, all))
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
      val computed = getAliasMap(below)
      // With the nullability of the rows. A filter may have narrowed it for one branch.
      def overRows(e: Expression) = Branch.moved(replaceAlias(e, computed), rows.output, rows.output)
      val condition = Branch.conjunction(conditions)
      val keys = aggregate.groupingExpressions.map(overRows)
      val results = aggregate.aggregateExpressions.map(column => overRows(Branch.valueOf(column)))
      val above = list.map(Branch.valueOf) ++ having.reduceOption(And(_, _))
      val functions = results.flatMap(_.collect { case e: AggregateExpression => e }).distinctBy(key)
      functions
        .flatMap(ConditionalAggregate.refusal)
        .headOption
        .orElse(FitConditions.refusal(condition +: (keys ++ results ++ above)))
        .orElse(GroupingKeys.refusal(keys))
        .toLeft {
          val groups = keys.filterNot(_.isInstanceOf[Literal]).map {
            case column: Attribute => column
            case key               => Alias(key, "key")()
          }
          val values = functions.map(Alias(_, "value")())
          val made = results.map(overGroups(_, groups, values))
          val parts = above.map(Branch.moved(_, aggregate.output, made))
          AggregatedBranch(rows, condition, groups, values, parts, isGrouped = keys.nonEmpty)
        }
    case _ => Left(Refusal.UnsteadyRows)
  }

  /** A column of an aggregate over the rows, over keys and functions. */
  private def overGroups(e: Expression, keys: Seq[NamedExpression], functions: Seq[Alias]): Expression = {
    val valueOf = functions.map(f => key(aggregateOf(f)) -> f.toAttribute).toMap
    def groupOf(e: Expression) = keys.find(Branch.valueOf(_).semanticEquals(e)).map(_.toAttribute)
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
