package org.streamon.spark.inspection

import scala.util.Try

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.logical.Join
import org.apache.spark.sql.execution.{FilterExec, QueryExecution, SparkPlan}
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper
import org.streamon.spark.errors.Refusal
import org.streamon.spark.execution.AdaptiveFilterExec
import org.streamon.spark.execution.selections.MatchRulesExec
import org.streamon.spark.rules.CollapseStreamJoins

/** The filters and joins of a query that are left to Spark, and the rules of a `streamon_match` without a
  * look-up, each with the reason. If Spark cannot plan the query, only its joins. If the query has run, also
  * the adaptive filters that did not adapt.
  */
object WhyNot extends AdaptiveSparkPlanHelper {
  def of(query: QueryExecution): Seq[RefusedOperator] =
    Try(query.executedPlan).fold(_ => Nil, filters) ++ joins(query)

  private def filters(plan: SparkPlan): Seq[RefusedOperator] = {
    def refused(filter: SparkPlan, condition: Expression) =
      filter.getTagValue(Refusal.tag).map(RefusedOperator(filter.nodeName, _, condition.sql))
    collectWithSubqueries(plan) {
      case filter: FilterExec         => refused(filter, filter.condition).toSeq
      case filter: AdaptiveFilterExec => refused(filter, filter.condition).toSeq
      case rules: MatchRulesExec      =>
        rules.refusals.map { case (r, of) => RefusedOperator(rules.nodeName, r, of) }
    }.flatten
  }

  private def joins(query: QueryExecution): Seq[RefusedOperator] = {
    val rule = CollapseStreamJoins(query.sparkSession)
    query.optimizedPlan.collect { case join: Join =>
      rule
        .refusal(join)
        .map(RefusedOperator(s"Join ${join.joinType.sql}", _, join.condition.fold("")(_.sql)))
    }.flatten
  }
}
