package org.streamon.spark.matching.conditions

import scala.util.Try

import org.apache.spark.sql.catalyst.QueryPlanningTracker
import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, Expression}
import org.apache.spark.sql.catalyst.plans.logical.{LocalRelation, LogicalPlan, Project}
import org.apache.spark.sql.classic.SparkSession

/** Spark's analyzer over the columns of some rows. */
private[conditions] final class Analysis(session: SparkSession, columns: Seq[Attribute]) {

  val rows: LocalRelation = LocalRelation(columns)

  /** A projection of expressions, all in one analysis. It fails if one of them is not valid. */
  def apply(expressions: Seq[Expression]): Try[LogicalPlan] = {
    // No condition can name another by such a name.
    val list = expressions.zipWithIndex.map { case (e, k) => Alias(e, s"condition $k of streamon_match")() }
    Try(session.sessionState.analyzer.executeAndCheck(Project(list, rows), new QueryPlanningTracker))
  }
}
