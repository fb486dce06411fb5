package org.streamon.spark.planning

import org.apache.spark.sql.catalyst.expressions.NamedExpression
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.{SparkPlan, SparkStrategy}
import org.apache.spark.sql.streamon.{HypercubeExchangeExec, MJoinExec}
import org.streamon.spark.execution.joins.JoinShape
import org.streamon.spark.logical.RowOrder

/** Plans an [[MJoin]]. Its state info and its watermarks are Spark's to give. */
object MJoinStrategy extends SparkStrategy {
  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case MJoin(inputs, twoWay, keys, placing, nullSafe, bounding, residuals, orders, declared, settings) =>
      val everywhere = RowOrder.everywhere(orders, keys.take(placing))
      val partitioned =
        if (MJoin.hashes(keys, placing, orders)) inputs.map(planLater)
        else {
          val use = if (orders.isEmpty) 0L else NamedExpression.newExprId.id
          val cut = keys.take(placing)
          val holders = JoinShape.holders(inputs.size, cut)
          inputs.indices.map(i =>
            HypercubeExchangeExec(cut.map(_(i)), holders, i, None, everywhere(i), use, planLater(inputs(i)))
          )
        }
      MJoinExec(
        twoWay,
        keys,
        placing,
        nullSafe,
        bounding,
        residuals,
        orders,
        declared,
        settings,
        None,
        None,
        None,
        partitioned
      ) :: Nil
    case _ => Nil
  }
}
