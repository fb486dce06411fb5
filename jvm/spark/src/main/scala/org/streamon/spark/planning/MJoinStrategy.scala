package org.streamon.spark.planning

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.{SparkPlan, SparkStrategy}
import org.apache.spark.sql.streamon.{HypercubeExchangeExec, MJoinExec}

/** Plans an [[MJoin]]. Its state info and its watermarks are Spark's to give. */
object MJoinStrategy extends SparkStrategy {
  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case MJoin(inputs, keys, placing, nullSafe, residuals, settings) =>
      val partitioned =
        if (placing == 1) inputs.map(planLater)
        else {
          val cut = keys.take(placing)
          val holders = cut.map(_.map(_.nonEmpty))
          inputs.indices.map(i =>
            HypercubeExchangeExec(cut.map(_(i)), holders, i, None, planLater(inputs(i)))
          )
        }
      MJoinExec(keys, placing, nullSafe, residuals, settings, None, None, None, partitioned) :: Nil
    case _ => Nil
  }
}
