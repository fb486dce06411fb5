package org.streamon.spark.matching.conditions

import org.apache.spark.unsafe.types.UTF8String
import org.streamon.spark.errors.RuleError

/** A rule as its author wrote it.
  *
  * @param condition
  *   the text of a boolean expression
  */
final case class NamedCondition(rule: String, condition: String) {
  private lazy val name = UTF8String.fromString(rule)

  /** Whether it has a name and a condition. */
  def isComplete: Boolean = rule.trim.nonEmpty && condition.trim.nonEmpty
}

object NamedCondition {

  /** As Spark orders texts. */
  implicit val byName: Ordering[NamedCondition] = (a, b) => {
    val names = a.name.compareTo(b.name)
    if (names != 0) names else a.condition.compareTo(b.condition)
  }
}

/** A rule that is not valid, with the reason. */
final case class RejectedRule(rule: NamedCondition, error: RuleError)
