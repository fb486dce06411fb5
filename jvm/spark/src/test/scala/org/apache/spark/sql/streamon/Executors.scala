package org.apache.spark.sql.streamon

import org.apache.spark.{ExecutorAllocationClient, SparkContext}
import org.apache.spark.scheduler.ExecutorDecommissionInfo

object Executors {

  /** Tells an executor to finish its tasks, take no others, and end. */
  def decommission(context: SparkContext, id: String): Unit = {
    val accepted = context.schedulerBackend
      .asInstanceOf[ExecutorAllocationClient]
      .decommissionExecutor(id, ExecutorDecommissionInfo("on purpose"), adjustTargetNumExecutors = false)
    require(accepted, s"executor $id cannot be decommissioned")
  }
}
