package org.streamon.spark.inspection

import org.streamon.spark.errors.Refusal

/** A filter or a join that is left to Spark.
  *
  * @param operator
  *   its name in the plan
  */
final case class RefusedOperator(operator: String, refusal: Refusal, condition: String) {

  /** What it takes in memory, about. */
  def bytes: Long = 100L + 2L * (operator.length + condition.length)
}
