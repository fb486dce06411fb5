package org.streamon.spark.sharing

import org.apache.spark.sql.catalyst.expressions.{
  Expression,
  OuterReference,
  PythonFuncExpression,
  SubqueryExpression
}
import org.streamon.spark.errors.Refusal

/** Whether conditions can be rules of one operator. */
private[sharing] object FitConditions {

  /** Why the first that cannot be a rule cannot. */
  def refusal(conditions: Seq[Expression]): Option[Refusal] =
    conditions.iterator.flatMap(c => unfit(c).map(Refusal.UnfitCondition(c.sql, _))).nextOption()

  private def unfit(condition: Expression): Option[String] =
    condition
      .collectFirst {
        case _: SubqueryExpression   => "a subquery"
        case _: PythonFuncExpression => "a Python function"
        case _: OuterReference       => "a column of an outer query"
      }
      .orElse(Option.when(!condition.deterministic)("a function that is not deterministic"))
}
