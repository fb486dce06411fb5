package org.apache.spark.sql.streamon

import org.apache.spark.sql.AnalysisException

/** A hint that cannot be meant as it is written. */
final class HintError private (condition: String, text: String)
    extends AnalysisException(
      message = s"[$condition] $text",
      line = None,
      startPosition = None,
      cause = None,
      errorClass = Some(condition),
      messageParameters = Map.empty,
      context = Array.empty,
      sqlState = Some("42000"),
      messageTemplate = None
    )

object HintError {
  def unknownInput(hint: String, name: String, allowed: Seq[String]): HintError = new HintError(
    "STREAMON_HINT_UNKNOWN_INPUT",
    s"The hint $hint names `$name`, which is no input of the joins below it. Allowed: ${listed(allowed)}. " +
      "An input is called by its alias, or by the name of its table or view."
  )

  def staticInput(hint: String, name: String, allowed: Seq[String]): HintError = new HintError(
    "STREAMON_HINT_STATIC_INPUT",
    s"The hint $hint names `$name`, which is not a stream. Allowed: ${listed(allowed)}. Leave it out of the " +
      "hint: Spark joins it as it does without."
  )

  def tooFewStreams(hint: String, text: String, found: Seq[String]): HintError = new HintError(
    "STREAMON_HINT_TOO_FEW_STREAMS",
    s"$text asks for a join of two streams or more and found ${listed(found)}. Put $hint where the streams are " +
      "joined, and name two of them at least, or none for all."
  )

  private def listed(names: Seq[String]): String =
    if (names.isEmpty) "none" else names.map(n => s"`$n`").mkString(", ")
}
