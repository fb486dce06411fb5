package org.streamon.spark.inspection

import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper
import org.streamon.spark.execution.AdaptiveFilterExec
import org.streamon.spark.planning.StaticCost

/** The adaptive operators of a plan in words. */
object Explanation extends AdaptiveSparkPlanHelper {
  def of(plan: SparkPlan): String = {
    val filters = collectWithSubqueries(plan) { case f: AdaptiveFilterExec => f }
    if (filters.isEmpty) "No adaptive operator in this plan; streamon.why_not says why."
    else filters.map(describe).mkString("\n\n")
  }

  private def describe(filter: AdaptiveFilterExec): String = {
    val head = s"AdaptiveFilter ${filter.operatorId}, ${filter.settings.algorithm}, conjuncts as written:"
    val lines = filter.conjuncts.zipWithIndex.map { case (c, q) =>
      f"  $q%2d  ${c.sql}  (about ${StaticCost(c)}%.0f ns by the table)"
    }
    (head +: lines).mkString("\n")
  }
}
