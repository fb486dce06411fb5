package org.streamon.spark.inspection

import org.apache.spark.sql.Row
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.streamon.Plans
import org.apache.spark.sql.types.StructType
import org.streamon.spark.errors.Refusal

/** The rows of `streamon_why_not()` and `streamon_explain()`. The argument `TABLE(...)` is planned but not
  * executed. Its rows have no `query`.
  */
private[inspection] object PlanTables {
  val whyNotSchema: StructType =
    StructType.fromDDL("query STRING, operator STRING, code STRING, reason STRING, condition STRING")

  val explainSchema: StructType = StructType.fromDDL("query STRING, operator STRING, description STRING")

  def whyNot(session: SparkSession, scope: Scope): Seq[Row] = scope match {
    case Scope.OfPlan(plan) =>
      // The command that makes a view of a frame is an execution with its plan too.
      val last = scope.queries(session).filter(_.hasOperators).lastOption.toSeq
      (WhyNot.of(Plans.of(session, plan)) ++ last.flatMap(_.refused.filter(isFoundInRuns))).map(row(None, _))
    case _ => for (query <- scope.queries(session); refused <- query.refused) yield row(Some(query), refused)
  }

  def explain(session: SparkSession, scope: Scope): Seq[Row] = scope match {
    case Scope.OfPlan(plan) => Explanation.of(Plans.of(session, plan)).map(row(None, _))
    case _ => for (query <- scope.queries(session); found <- query.adaptive) yield row(Some(query), found)
  }

  /** What no plan tells that has not run. */
  private def isFoundInRuns(refused: RefusedOperator) = refused.refusal == Refusal.CodegenFellBack

  private def row(query: Option[LoggedQuery], refused: RefusedOperator) = Row(
    query.map(_.query).orNull,
    refused.operator,
    refused.refusal.code,
    refused.refusal.reason,
    refused.condition
  )

  private def row(query: Option[LoggedQuery], found: AdaptiveOperator) =
    Row(query.map(_.query).orNull, found.operator, found.description)
}
