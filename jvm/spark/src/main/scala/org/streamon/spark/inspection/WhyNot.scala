package org.streamon.spark.inspection

import org.apache.spark.sql.execution.{FilterExec, SparkPlan}
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper
import org.json4s.JsonDSL._
import org.json4s.jackson.JsonMethods.{compact, render}
import org.streamon.spark.planning.Refusal

/** The filters of a plan that were left to Spark, each with the reason. */
object WhyNot extends AdaptiveSparkPlanHelper {

  /** A JSON array of objects with `operator`, `code`, `reason` and `condition`. */
  def json(plan: SparkPlan): String = compact(render(refusals(plan).toList.map { case (filter, refusal) =>
    ("operator" -> filter.nodeName) ~ ("code" -> refusal.code) ~ ("reason" -> refusal.reason) ~
      ("condition" -> filter.condition.sql)
  }))

  private def refusals(plan: SparkPlan): Seq[(FilterExec, Refusal)] =
    collectWithSubqueries(plan) { case filter: FilterExec =>
      filter.getTagValue(Refusal.tag).map(filter -> _)
    }.flatten
}
