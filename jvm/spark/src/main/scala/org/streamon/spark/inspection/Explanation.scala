package org.streamon.spark.inspection

import scala.util.Try

import org.apache.spark.sql.execution.{QueryExecution, SparkPlan}
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper
import org.streamon.spark.errors.Refusal
import org.streamon.spark.execution.AdaptiveFilterExec
import org.streamon.spark.execution.joins.MJoinExec
import org.streamon.spark.execution.python.AdaptivePythonFilterExec
import org.streamon.spark.execution.selections.MatchRulesExec
import org.streamon.spark.expressions.StaticCost
import org.streamon.spark.routes.RouteColumn

/** Describes the adaptive operators of a plan as text. */
object Explanation extends AdaptiveSparkPlanHelper {

  /** Empty if Spark has no plan for the query. */
  def of(query: QueryExecution): Seq[AdaptiveOperator] = Try(query.executedPlan).fold(_ => Nil, of)

  private def of(plan: SparkPlan): Seq[AdaptiveOperator] = collectWithSubqueries(plan) {
    case filter: AdaptiveFilterExec       => AdaptiveOperator(filter.operator, describe(filter))
    case filter: AdaptivePythonFilterExec => AdaptiveOperator(filter.operator, describe(filter))
    case join: MJoinExec                  => AdaptiveOperator("MJoin", describe(join))
    case rules: MatchRulesExec            => AdaptiveOperator(rules.nodeName, describe(rules))
  }

  private def describe(join: MJoinExec): String = {
    val head = s"MJoin, ${join.algorithm}, inputs and their keys:"
    val lines = join.children.indices.map { i =>
      f"  $i%2d  ${join.children(i).output.map(_.name).mkString("(", ", ", ")")} on " +
        join.spec.keys.flatMap(_(i)).map(_.sql).mkString(", ") +
        join.spec.orders.lift(i).flatMap(_.window).fold("")(w => s", ${w.sql}")
    }
    val conditions = join.spec.residuals.map(c => s"  and ${c.sql}")
    val columns =
      if (join.isRouted) join.routeColumns.zipWithIndex.map { case (of, i) =>
        telling(s"rows of input $i", of)
      }
      else join.unrouted.map(reason => s"  one order for each input, without routes: $reason").toSeq
    (head +: (lines ++ conditions ++ columns)).mkString("\n")
  }

  private def describe(rules: MatchRulesExec): String = {
    val shared = rules.selections
    val head = s"${rules.nodeName}, ${shared.names.size} rules, columns that they are looked up by:"
    val lines = rules.columns.indices.map { c =>
      val asking = shared.terms.filter(_.asked.contains(c)).flatMap(_.rules).distinct.size
      f"  $c%2d  ${rules.texts(c)}  (asked by $asking rules)"
    }
    val residuals = s"  conditions that are evaluated for rules that are left: ${shared.residuals.size}"
    (head +: lines :+ residuals).mkString("\n")
  }

  private def describe(filter: AdaptivePythonFilterExec): String = {
    val head = s"${filter.operator}, ${filter.settings.algorithm}, conditions as written:"
    val lines = filter.texts.zipWithIndex.map { case (text, q) => f"  $q%2d  $text" }
    val values = Option.when(filter.needed.nonEmpty) {
      filter.needed
        .map(filter.called(_).name)
        .mkString("  results that the query uses above the filter: ", ", ", "")
    }
    (head +: (lines ++ values)).mkString("\n")
  }

  private def describe(filter: AdaptiveFilterExec): String = {
    val head = s"${filter.operator}, ${filter.settings.algorithm}, conjuncts as written:"
    val lines = filter.conjuncts.zipWithIndex.map { case (c, q) =>
      f"  $q%2d  ${c.sql}  (estimated cost: ${StaticCost(c)}%.0f ns)"
    }
    val columns = Option.when(filter.settings.isRouted)(telling("kinds of rows", filter.routeColumns))
    val fellBack = filter.getTagValue(Refusal.tag).map(refusal => s"  ${refusal.reason}")
    (head +: (lines ++ columns ++ fellBack)).mkString("\n")
  }

  private def telling(what: String, columns: Seq[RouteColumn]): String = {
    val names = columns.map(_.attribute.name)
    s"  columns that tell $what apart: ${if (names.isEmpty) "none" else names.mkString(", ")}"
  }
}
