package org.streamon.spark.matching.conditions

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.analysis.{EliminateSubqueryAliases, EliminateView}
import org.apache.spark.sql.catalyst.expressions.CollectionGenerator
import org.apache.spark.sql.catalyst.optimizer.{ConvertToLocalRelation, ReplaceExpressions}
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.{Rule, RuleExecutor}

/** The rows of a table that are in its plan, as those of a dictionary, of `VALUES` and of a local frame are.
  * Spark would execute a query for them, which takes longer than all else that few rules need.
  */
private[conditions] object RowsInPlan extends RuleExecutor[LogicalPlan] {
  private val MaxIterations = 10

  /** @param table
    *   analyzed
    * @return
    *   None where a query has to be executed
    */
  def apply(table: LogicalPlan): Option[Seq[InternalRow]] =
    if (table.collectLeaves().forall(isLocal))
      execute(table) match {
        case local: LocalRelation => Some(local.data)
        case _                    => None
      }
    else None

  private def isLocal(leaf: LogicalPlan) = leaf match {
    case rows: LocalRelation => !rows.isStreaming
    case _                   => leaf.isInstanceOf[OneRowRelation]
  }

  override protected def batches: Seq[Batch] = Seq(
    Batch("Names", Once, EliminateSubqueryAliases, EliminateView, ReplaceExpressions),
    Batch("Rows", FixedPoint(MaxIterations), RowsOfConstants, ConvertToLocalRelation)
  )

  /** A `SELECT` without a table, and `explode` and its like of a constant. */
  private object RowsOfConstants extends Rule[LogicalPlan] {
    override def apply(plan: LogicalPlan): LogicalPlan = plan.transformDown {
      case Generate(constant: CollectionGenerator, _, false, _, output, OneRowRelation())
          if constant.children.forall(_.foldable) =>
        LocalRelation(output, constant.eval(InternalRow.empty).iterator.map(_.copy()).toSeq)
      case OneRowRelation() => LocalRelation(Nil, Seq(InternalRow.empty))
    }
  }
}
