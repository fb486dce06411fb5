package org.streamon.spark.inspection

/** An adaptive operator of a plan.
  *
  * @param description
  *   a text of several lines for users
  */
final case class AdaptiveOperator(operator: String, description: String) {

  /** What it takes in memory, about. */
  def bytes: Long = 100L + 2L * (operator.length + description.length)
}
