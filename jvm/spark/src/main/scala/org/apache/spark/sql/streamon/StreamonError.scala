package org.apache.spark.sql.streamon

import org.apache.spark.sql.AnalysisException
import org.apache.spark.sql.catalyst.trees.Origin

/** An error that stops a query and that its author can correct.
  *
  * @param condition
  *   the error class
  * @param text
  *   the cause, the allowed values, and the next step
  * @param state
  *   the SQLSTATE
  */
abstract class StreamonError(
    condition: String,
    text: String,
    state: String,
    cause: Option[Throwable] = None
) extends AnalysisException(
      message = s"[$condition] $text",
      line = None,
      startPosition = None,
      cause = cause,
      errorClass = Some(condition),
      messageParameters = Map.empty,
      context = Array.empty,
      sqlState = Some(state),
      messageTemplate = None
    ) {

  // A copy with the position would be of no class that Spark, or Python, can describe.
  override def withPosition(origin: Origin): AnalysisException = this
}
