package org.streamon.spark.logical

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.catalyst.plans.QueryPlan
import org.streamon.spark.selections.SentSelections

/** The text of rules in EXPLAIN, of the logical and of the physical operator. */
private[spark] trait MatchRulesText { self: QueryPlan[_] =>
  def columns: Seq[Expression]
  def rules: SentSelections
  def matched: Attribute
  def keepsAll: Boolean

  override protected def stringArgs: Iterator[Any] =
    Iterator[Any](rules, columns.mkString("[", ", ", "]"), matched) ++
      Option.when(keepsAll)("all rows").iterator
}
