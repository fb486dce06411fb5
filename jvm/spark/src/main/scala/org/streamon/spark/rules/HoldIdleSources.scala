package org.streamon.spark.rules

import org.apache.spark.sql.catalyst.plans.logical.{LocalRelation, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.{JOIN, UNION}
import org.apache.spark.sql.streamon.StreamonConf
import org.streamon.spark.logical.IdleSource

/** Keeps branches of a UNION whose sources have no new rows. Spark drops such branches. If only a join is
  * left of the UNION, it would be flattened with the joins above it in some micro-batches and not in others,
  * but the state belongs to one plan.
  */
object HoldIdleSources extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    if (conf.getConf(StreamonConf.Enabled) && plan.isStreaming && plan.containsAllPatterns(JOIN, UNION))
      hold(plan)
    else plan

  /** All of them: what is below a UNION may be written elsewhere, in a WITH clause. */
  private def hold(plan: LogicalPlan): LogicalPlan = plan match {
    case idle: LocalRelation if idle.isStreaming && idle.data.isEmpty => IdleSource(idle)
    case held: IdleSource                                             => held
    case other                                                        => other.mapChildren(hold)
  }
}
