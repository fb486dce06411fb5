package org.streamon.spark.util

import java.util.WeakHashMap

import org.apache.spark.internal.Logging
import org.apache.spark.sql.SparkSession

/** Logs a warning once for each cause and session, since a rule runs for every stage and every micro-batch.
  * Causes that differ only in the name of a temporary file count as one. For each session only the latest
  * causes are remembered, which bounds the memory.
  */
object LogOnce extends Logging {
  private val Kept = 1000
  private val Drawn = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\S*\\.tmp".r
  private val said = new WeakHashMap[SparkSession, RecentlyUsed[String, String]]

  /** In a task, which knows no session: once in its process. */
  def warn(message: String): Unit = warn(null, message)

  def warn(session: SparkSession, message: String): Unit = if (isNew(session, message)) logWarning(message)

  def warn(session: SparkSession, message: String, cause: Throwable): Unit =
    if (isNew(session, s"$message: $cause")) logWarning(message, cause)

  private def isNew(session: SparkSession, text: String): Boolean = synchronized {
    val cause = Drawn.replaceAllIn(text, "")
    said.computeIfAbsent(session, _ => new RecentlyUsed(Kept)).put(cause, cause) == null
  }
}
