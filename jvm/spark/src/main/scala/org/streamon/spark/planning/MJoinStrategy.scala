package org.streamon.spark.planning

import org.apache.spark.sql.catalyst.expressions.NamedExpression
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.{SparkPlan, SparkStrategy}
import org.streamon.spark.execution.joins.{HypercubeExchangeExec, MJoinExec}
import org.streamon.spark.execution.state.JoinShape
import org.streamon.spark.logical.IdleSource

/** Plans an [[MJoin]]. Spark sets its state info and its watermarks later. */
object MJoinStrategy extends SparkStrategy {
  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case join: MJoin =>
      MJoinExec(
        spec = join.spec,
        settings = join.settings,
        stateInfo = None,
        eventTimeWatermarkForLateEvents = None,
        eventTimeWatermarkForEviction = None,
        children = placed(join)
      ) :: Nil
    case IdleSource(source) => planLater(source) :: Nil
    case _                  => Nil
  }

  /** The inputs, spread over a hypercube where hashing does not place their rows. */
  private def placed(join: MJoin): Seq[SparkPlan] = {
    import join.{inputs, spec}
    if (spec.hashes) inputs.map(planLater)
    else {
      val cut = spec.placingKeys
      val everywhere = spec.everywhere
      val use = if (spec.orders.isEmpty) 0L else NamedExpression.newExprId.id
      val holders = JoinShape.holders(inputs.size, cut)
      inputs.indices.map(i =>
        HypercubeExchangeExec(cut.map(_(i)), holders, i, None, everywhere(i), use, planLater(inputs(i)))
      )
    }
  }
}
