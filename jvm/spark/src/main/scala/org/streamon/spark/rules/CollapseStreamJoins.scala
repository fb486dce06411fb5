package org.streamon.spark.rules

import scala.util.control.NonFatal

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.streamon.{CheckpointPin, StreamonConf}
import org.streamon.spark.planning.{MJoin, MJoinHint, MJoinPlanner, Refusal}

/** Puts an MJoin in the place of each tree of joins of streams that is wanted as one, after the operators
  * have been optimized: until then Spark has to see the joins. On the others it leaves the reason, for
  * `why_not`. A failure leaves Spark's own plan.
  *
  * A query keeps one plan from its start to its end, since its state depends on it: so this reads the
  * settings of the query's own session, which the user's no longer reach.
  */
case class CollapseStreamJoins(session: SparkSession) extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = {
    val collapsed = collapse(plan)
    if (plan.isStreaming) CheckpointPin.check(session, collapsed.collect { case j: MJoin => j }.size)
    collapsed
  }

  private def collapse(plan: LogicalPlan): LogicalPlan =
    if (!conf.getConf(StreamonConf.Enabled) || !plan.exists(_.isInstanceOf[Join])) plan
    else {
      val collapsed = pass(plan, new MJoinPlanner(conf))
      // A join that was refused with what is below it may be taken when that has become an input.
      if (collapsed.fastEquals(plan)) plan else collapse(collapsed)
    }

  private def pass(plan: LogicalPlan, planner: MJoinPlanner): LogicalPlan = plan.transformDown {
    case join: Join =>
      decide(planner, join) match {
        case Right(collapsed) => collapsed
        case Left(refusal)    =>
          if (hinted(join))
            LogOnce.warn(s"A hint MJOIN has no effect on a join: ${refusal.code}, ${refusal.reason}")
          join
      }
  }

  /** Why a join of an optimized plan was left to Spark; none for joins of tables that no hint names. */
  def refusal(join: Join): Option[Refusal] =
    if (join.isStreaming || hinted(join)) decide(new MJoinPlanner(conf), join).left.toOption else None

  private def hinted(join: Join): Boolean = join.condition.exists(MJoinHint.on(_).isDefined)

  private def decide(planner: MJoinPlanner, join: Join): Either[Refusal, LogicalPlan] =
    try planner.plan(join)
    catch {
      case NonFatal(error) =>
        LogOnce.warn("An MJoin could not be planned, so Spark's own joins run", error)
        Left(Refusal.JoinRuleFailed(error.getMessage))
    }
}
