package org.streamon.spark.metrics

import org.apache.spark.SparkEnv

/** The process that a task runs in, by the name that Spark's UI has for it. */
object ThisExecutor {
  def id: String = Option(SparkEnv.get).fold("none")(_.executorId)
}
