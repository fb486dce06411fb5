package org.streamon.spark.planning

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.{SparkPlan, SparkStrategy}
import org.apache.spark.sql.streamon.MJoinExec

/** Plans an [[MJoin]]. Its state info and its watermarks are Spark's to give. */
object MJoinStrategy extends SparkStrategy {
  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case MJoin(inputs, keys, nullSafe, residuals, settings) =>
      MJoinExec(keys, nullSafe, residuals, settings, None, None, None, inputs.map(planLater)) :: Nil
    case _ => Nil
  }
}
