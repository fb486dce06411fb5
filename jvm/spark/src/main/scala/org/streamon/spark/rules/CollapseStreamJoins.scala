package org.streamon.spark.rules

import scala.util.control.NonFatal

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.streamon.StreamonConf
import org.streamon.spark.planning.{MJoinHint, MJoinPlanner, Refusal}

/** Puts an MJoin in the place of each tree of joins of streams that is wanted as one, after the operators
  * have been optimized: until then Spark has to see the joins. On the others it leaves the reason, for
  * `why_not`. A failure leaves Spark's own plan.
  *
  * A query keeps one plan from its start to its end, since its state depends on it: so this reads the
  * settings of the query's own session, which the user's no longer reach.
  */
case class CollapseStreamJoins(session: SparkSession) extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    if (!conf.getConf(StreamonConf.Enabled) || !plan.exists(_.isInstanceOf[Join])) plan
    else {
      val planner = new MJoinPlanner(conf)
      plan.transformDown { case join: Join =>
        decide(planner, join) match {
          case Right(collapsed) => collapsed
          case Left(refusal)    =>
            join.setTagValue(Refusal.tag, refusal)
            if (join.condition.exists(MJoinHint.on(_).isDefined))
              LogOnce.warn(s"A hint MJOIN has no effect on a join: ${refusal.code}, ${refusal.reason}")
            join
        }
      }
    }

  private def decide(planner: MJoinPlanner, join: Join): Either[Refusal, LogicalPlan] =
    try planner.plan(join)
    catch {
      case NonFatal(error) =>
        LogOnce.warn("An MJoin could not be planned, so Spark's own joins run", error)
        Left(Refusal.JoinRuleFailed(error.getMessage))
    }
}
