package org.streamon.spark.inspection

import scala.util.Try

import org.apache.commons.lang3.StringUtils
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.logical.Join
import org.apache.spark.sql.execution.{FilterExec, QueryExecution, SparkPlan}
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper
import org.apache.spark.sql.streamon.StreamonConf
import org.streamon.spark.errors.Refusal
import org.streamon.spark.execution.AdaptiveFilterExec
import org.streamon.spark.execution.selections.MatchRulesExec
import org.streamon.spark.rules.{CollapseStreamJoins, ShareSelections}

/** The filters, joins and conditions over the same rows of a query that are left to Spark, and the rules of a
  * `streamon_match` without a look-up, each with the reason. If Spark cannot plan the query, not its filters.
  * If the query has run, also the adaptive filters that did not adapt.
  */
object WhyNot extends AdaptiveSparkPlanHelper {
  def of(query: QueryExecution): Seq[RefusedOperator] =
    Try(query.executedPlan).fold(_ => Nil, filters) ++ joins(query) ++ unshared(query)

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

  private def unshared(query: QueryExecution): Seq[RefusedOperator] =
    if (query.sparkSession.sessionState.conf.getConf(StreamonConf.MatchShare) == "off") Nil
    else
      query.optimizedPlan.collectWithSubqueries { case plan =>
        def text = StringUtils.abbreviate(plan.expressions.map(_.sql).mkString(", "), MostText)
        plan.getTagValue(ShareSelections.refusal).map(RefusedOperator(plan.nodeName, _, text))
      }.flatten

  /** There may be thousands of conditions. */
  private val MostText = 500
}
