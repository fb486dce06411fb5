package org.streamon.spark.matching

/** A rule as its author wrote it.
  *
  * @param condition
  *   the text of a boolean expression
  */
final case class NamedCondition(rule: String, condition: String)
