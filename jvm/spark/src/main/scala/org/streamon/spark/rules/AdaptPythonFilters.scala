package org.streamon.spark.rules

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.AttributeSet
import org.apache.spark.sql.execution.{FilterExec, ProjectExec, SparkPlan}
import org.apache.spark.sql.internal.SQLConf
import org.streamon.spark.errors.Refusal
import org.streamon.spark.execution.python.AdaptivePythonFilterExec
import org.streamon.spark.planning.{KnownResults, PythonFilterPlanner}

/** Replaces a filter on results of Python functions, with the nodes that call them, by one adaptive filter.
  * Spark has a projection above such a filter, which removes the results again.
  */
case class AdaptPythonFilters(session: SparkSession) extends FilterRule {

  override protected def adapt(plan: SparkPlan, conf: SQLConf): SparkPlan = {
    val planner = new PythonFilterPlanner(conf)
    var operators = plan.collect { case _: AdaptivePythonFilterExec => () }.size
    def adapted(filter: FilterExec, read: AttributeSet): Option[SparkPlan] =
      decided(planner.plan(filter, read)) match {
        case Right(planned) =>
          operators += 1
          Some(planned.plan(operators))
        case Left(refusal) =>
          filter.setTagValue(Refusal.tag, refusal)
          None
      }
    // From above: filters one below another become one operator.
    plan.transformDown {
      case KnownResults(filter, known) if isLeft(filter) =>
        adapted(filter, known.read).fold[SparkPlan](known.node)(known.over)
      case project @ ProjectExec(columns, filter: FilterExec) if isLeft(filter) =>
        adapted(filter, AttributeSet(columns.flatMap(_.references))).fold(project)(f =>
          project.copy(child = f)
        )
      case filter: FilterExec if isLeft(filter) => adapted(filter, filter.outputSet).getOrElse(filter)
    }
  }

  private def isLeft(filter: FilterExec) =
    PythonFilterPlanner.isOnFunctions(filter) && filter.getTagValue(Refusal.tag).isEmpty
}
