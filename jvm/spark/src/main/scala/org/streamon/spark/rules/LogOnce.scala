package org.streamon.spark.rules

import java.util.concurrent.ConcurrentHashMap

import org.apache.spark.internal.Logging

/** A rule runs for every stage and every micro-batch: what goes wrong is said once for each cause. */
object LogOnce extends Logging {
  private val Kept = 1000L
  private val said = ConcurrentHashMap.newKeySet[String]

  def warn(message: String): Unit = if (said.size < Kept && said.add(message)) logWarning(message)

  def warn(message: String, cause: Throwable): Unit =
    if (said.size < Kept && said.add(s"$message: $cause")) logWarning(message, cause)
}
