package org.streamon.spark.planning

import org.apache.spark.sql.catalyst.expressions.NamedExpression
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.{SparkPlan, SparkStrategy}
import org.apache.spark.sql.streamon.{HypercubeExchangeExec, MJoinExec}
import org.streamon.spark.execution.joins.JoinShape
import org.streamon.spark.logical.{IdleSource, RowOrder}

/** Plans an [[MJoin]]. Its state info and its watermarks are Spark's to give. */
object MJoinStrategy extends SparkStrategy {
  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case join: MJoin =>
      MJoinExec(
        twoWay = join.twoWay,
        timed = join.timed,
        keys = join.keys,
        placing = join.placing,
        nullSafe = join.nullSafe,
        bounding = join.bounding,
        residuals = join.residuals,
        scopes = join.scopes,
        orders = join.orders,
        declared = join.declared,
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
    import join.{inputs, keys, orders, placing}
    if (MJoin.hashes(keys, placing, orders)) inputs.map(planLater)
    else {
      val cut = keys.take(placing)
      val everywhere = RowOrder.everywhere(orders, cut)
      val use = if (orders.isEmpty) 0L else NamedExpression.newExprId.id
      val holders = JoinShape.holders(inputs.size, cut)
      inputs.indices.map(i =>
        HypercubeExchangeExec(cut.map(_(i)), holders, i, None, everywhere(i), use, planLater(inputs(i)))
      )
    }
  }
}
