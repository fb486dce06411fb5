package org.streamon.spark.rules

import scala.util.control.NonFatal

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.{Cross, Inner}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, Join, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.streaming.StreamingRelationV2
import org.apache.spark.sql.execution.streaming.runtime.StreamingRelation
import org.apache.spark.sql.streamon.StreamonConf
import org.streamon.spark.errors.{HintError, Refusal}
import org.streamon.spark.execution.joins.CheckpointPin
import org.streamon.spark.logical.{DeclaredConstraint, MJoinHint, OrderedInput}
import org.streamon.spark.planning.{MJoin, MJoinPlanner}
import org.streamon.spark.util.LogOnce

/** Replaces trees of joins of streams by MJoins where a hint or a setting asks for it. The rule runs after
  * the optimization of operators, since Spark must see the joins until then. If planning fails, Spark's own
  * plan stays.
  *
  * The state of a query depends on its plan, so the plan must stay the same from start to end. Therefore the
  * rule reads the settings of the query's own session, which later changes by the user do not reach.
  */
case class CollapseStreamJoins(session: SparkSession) extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = {
    val collapsed = collapse(plan)
    for (input <- collapsed.collectFirst { case input: OrderedInput => input })
      throw notJoined(
        Seq(input),
        if (conf.getConf(StreamonConf.Enabled)) "A table or another operator stands between the streams."
        else "spark.streamon.enabled is false."
      )
    if (plan.isStreaming && hasData(plan))
      CheckpointPin.check(session, collapsed.collect { case j: MJoin => j }.size)
    collapsed
  }

  /** Whether the plan is run. A plan that is only explained may belong to another query in `foreachBatch`. */
  private def hasData(plan: LogicalPlan) = !plan.exists {
    case _: StreamingRelation | _: StreamingRelationV2 => true
    case _                                             => false
  }

  private def collapse(plan: LogicalPlan): LogicalPlan =
    if (!conf.getConf(StreamonConf.Enabled) || !plan.exists(_.isInstanceOf[Join])) plan
    else collapse(plan, new MJoinPlanner(conf), part = false)

  /** @param part
    *   whether the plan is a side of a tree that was refused since equalities do not connect it
    */
  private def collapse(plan: LogicalPlan, planner: MJoinPlanner, part: Boolean): LogicalPlan = plan match {
    case join: Join =>
      decide(planner, join, part) match {
        case Right(top @ Project(_, it: MJoin)) => top.copy(child = inputsOf(it, planner))
        case Right(it)                          => inputsOf(it, planner)
        case Left(refusal)                      =>
          OrderedInput.block(join).foreach(inputs => throw notJoined(inputs, refusal.reason))
          if (MJoinHint.names(join))
            LogOnce.warn(
              session,
              s"The hint MJOIN has no effect on a join: ${refusal.code}. ${refusal.reason}"
            )
          for (declared <- DeclaredConstraint.on(join))
            LogOnce.warn(
              session,
              s"The hint ${declared.text} has no effect on a join: ${refusal.code}. ${refusal.reason}"
            )
          left(join).mapChildren(collapse(_, planner, part || refusal == Refusal.NotConnected))
      }
    case between @ (_: Project | _: Filter) => between.mapChildren(collapse(_, planner, part))
    case other                              => other.mapChildren(collapse(_, planner, part = false))
  }

  /** The join as Spark is to run it. A cross join of streams with a condition is an inner join, and Spark has
    * no cross join of streams.
    */
  private def left(join: Join): Join = {
    val wanted = conf.getConf(StreamonConf.JoinEnabled) || MJoinHint.names(join)
    if (join.joinType == Cross && wanted && join.isStreaming && join.condition.nonEmpty) {
      val inner = join.copy(joinType = Inner)
      inner.copyTagsFrom(join)
      inner
    } else join
  }

  /** Spark's own joins would return other rows than the windows ask for. */
  private def notJoined(inputs: Seq[OrderedInput], why: String): HintError = {
    val windowed = inputs.find(_.order.window.nonEmpty).getOrElse(inputs.head)
    HintError.rowsNotJoined("STREAM_WINDOW", windowed.name, windowed.order.window.fold("ROWS")(_.sql), why)
  }

  private def inputsOf(join: LogicalPlan, planner: MJoinPlanner): LogicalPlan =
    join.mapChildren(collapse(_, planner, part = false))

  /** Why a join of an optimized plan is left to Spark. None for joins of tables that no hint names. */
  def refusal(join: Join): Option[Refusal] =
    if (join.isStreaming || MJoinHint.names(join))
      decide(new MJoinPlanner(conf), join, part = false).left.toOption
    else None

  private def decide(planner: MJoinPlanner, join: Join, part: Boolean): Either[Refusal, LogicalPlan] =
    try planner.plan(join, part)
    catch {
      case mistake: HintError => throw mistake
      case NonFatal(error)    =>
        LogOnce.warn(session, "Planning an MJoin failed, so Spark's own joins run", error)
        Left(Refusal.JoinRuleFailed(error.getMessage))
    }
}
