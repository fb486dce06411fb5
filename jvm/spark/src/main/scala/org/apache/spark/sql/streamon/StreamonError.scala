package org.apache.spark.sql.streamon

import org.apache.spark.sql.AnalysisException
import org.apache.spark.sql.catalyst.trees.Origin

/** What stops a query and is for its author to mend.
  *
  * @param condition
  *   the error class
  * @param text
  *   what is at fault, what is allowed, and the next step
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
