package org.streamon.spark.rules

import org.apache.spark.sql.catalyst.plans.logical.{Join, LocalRelation, LogicalPlan, Union}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.streamon.StreamonConf
import org.streamon.spark.logical.IdleSource

/** Spark drops a branch of a UNION whose source has no new rows. If a join is all that is left of it, that
  * would be laid flat with those above in some micro-batches and not in others, and the state is of one plan
  * only. So the branch stays.
  */
object HoldIdleSources extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    if (conf.getConf(StreamonConf.Enabled) && plan.isStreaming && plan.exists(_.isInstanceOf[Join]))
      plan.transformUp { case union: Union => union.mapChildren(hold) }
    else plan

  private def hold(branch: LogicalPlan): LogicalPlan = branch match {
    case idle: LocalRelation if idle.isStreaming && idle.data.isEmpty => IdleSource(idle)
    case held: IdleSource                                             => held
    case other                                                        => other.mapChildren(hold)
  }
}
