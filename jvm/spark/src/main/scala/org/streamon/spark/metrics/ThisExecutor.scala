package org.streamon.spark.metrics

import org.apache.spark.SparkEnv

/** The executor that runs the current task, by its name in Spark's UI. */
object ThisExecutor {
  def id: String = Option(SparkEnv.get).fold("none")(_.executorId)
}
