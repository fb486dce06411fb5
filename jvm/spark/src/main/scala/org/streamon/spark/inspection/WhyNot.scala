package org.streamon.spark.inspection

import scala.util.Try

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.logical.Join
import org.apache.spark.sql.execution.{FilterExec, QueryExecution, SparkPlan}
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper
import org.json4s.JsonDSL._
import org.json4s.jackson.JsonMethods.{compact, render}
import org.streamon.spark.errors.Refusal
import org.streamon.spark.execution.AdaptiveFilterExec
import org.streamon.spark.rules.CollapseStreamJoins

/** The filters and joins of a query that were left to Spark, each with the reason: of one for which Spark has
  * no plan, the joins. Of a query that has run, also the adaptive filters that did not adapt.
  */
object WhyNot extends AdaptiveSparkPlanHelper {

  /** A JSON array of objects with `operator`, `code`, `reason` and `condition`. */
  def json(query: QueryExecution): String = compact(
    render((Try(query.executedPlan).fold(_ => Nil, filters) ++ joins(query)).toList.map {
      case (operator, refusal, condition) =>
        ("operator" -> operator) ~ ("code" -> refusal.code) ~ ("reason" -> refusal.reason) ~
          ("condition" -> condition)
    })
  )

  private def filters(plan: SparkPlan): Seq[(String, Refusal, String)] = {
    def refused(filter: SparkPlan, condition: Expression) =
      filter.getTagValue(Refusal.tag).map((filter.nodeName, _, condition.sql))
    collectWithSubqueries(plan) {
      case filter: FilterExec         => refused(filter, filter.condition)
      case filter: AdaptiveFilterExec => refused(filter, filter.condition)
    }.flatten
  }

  private def joins(query: QueryExecution): Seq[(String, Refusal, String)] = {
    val rule = CollapseStreamJoins(query.sparkSession)
    query.optimizedPlan.collect { case join: Join =>
      rule.refusal(join).map((s"Join ${join.joinType.sql}", _, join.condition.fold("")(_.sql)))
    }.flatten
  }
}
