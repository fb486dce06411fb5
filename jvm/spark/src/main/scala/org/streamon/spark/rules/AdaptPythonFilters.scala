package org.streamon.spark.rules

import scala.util.control.NonFatal

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.AttributeSet
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{FilterExec, ProjectExec, SparkPlan}
import org.apache.spark.sql.streamon.{LiveConf, StreamonConf}
import org.streamon.spark.errors.Refusal
import org.streamon.spark.execution.python.AdaptivePythonFilterExec
import org.streamon.spark.planning.{KnownResults, PythonFilterPlanner}
import org.streamon.spark.util.LogOnce

/** Puts one adaptive filter in the place of a filter on results of Python functions and of the nodes that
  * call them. Spark has a projection above such a filter, which takes the results away again. A failure
  * leaves Spark's own plan.
  */
case class AdaptPythonFilters(session: SparkSession) extends Rule[SparkPlan] {

  override def apply(plan: SparkPlan): SparkPlan =
    try {
      val conf = LiveConf.of(session)
      if (conf.getConf(StreamonConf.Enabled)) adapt(plan, new PythonFilterPlanner(conf)) else plan
    } catch {
      case NonFatal(error) =>
        LogOnce.warn(session, "StreaMon leaves a plan to Spark", error)
        plan
    }

  private def adapt(plan: SparkPlan, planner: PythonFilterPlanner): SparkPlan = {
    var operators = plan.collect { case _: AdaptivePythonFilterExec => () }.size
    // From above: filters one below another become one operator.
    def adapted(filter: FilterExec, read: AttributeSet): Option[SparkPlan] =
      decide(planner, filter, read) match {
        case Right(planned) =>
          operators += 1
          Some(planned.plan(operators))
        case Left(refusal) =>
          filter.setTagValue(Refusal.tag, refusal)
          None
      }
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

  private def decide(planner: PythonFilterPlanner, filter: FilterExec, read: AttributeSet) =
    try planner.plan(filter, read)
    catch {
      case NonFatal(error) =>
        LogOnce.warn(session, "An adaptive filter could not be planned, so Spark's own runs", error)
        Left(Refusal.RuleFailed(error.getMessage))
    }
}
