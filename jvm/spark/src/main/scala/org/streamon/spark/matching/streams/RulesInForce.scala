package org.streamon.spark.matching.streams

import org.streamon.spark.matching.conditions._

/** The rules of a micro-batch.
  *
  * @param wanted
  *   the rules of the table with the changes of users
  * @param set
  *   those of them that are valid
  * @param rejected
  *   the others
  * @param plan
  *   how the rules of a row are found
  */
private[matching] final class RulesInForce(
    val wanted: Seq[NamedCondition],
    val set: ResolvedRules,
    val rejected: Seq[RejectedRule],
    val plan: MatchPlan
)
