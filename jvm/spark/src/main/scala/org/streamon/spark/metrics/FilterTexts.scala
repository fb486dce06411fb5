package org.streamon.spark.metrics

import org.streamon.core.routes.Attribute

/** The texts of an adaptive filter, for users. They stay on the driver.
  *
  * @param owner
  *   the user who may see it, by [[org.apache.spark.sql.streamon.SessionOwner]]
  * @param fingerprint
  *   distinguishes filters of one query with the same name, for example in subqueries
  * @param conjuncts
  *   by written position
  * @param attributes
  *   what the trees of routes look at
  */
final case class FilterTexts(
    owner: Option[String],
    operator: String,
    fingerprint: String,
    algorithm: String,
    conjuncts: IndexedSeq[String],
    attributes: IndexedSeq[Attribute] = Vector.empty
) {

  /** What they take in memory, about. */
  def bytes: Long =
    200L + 2L * (operator.length + fingerprint.length) + conjuncts.map(80L + 2L * _.length).sum +
      attributes.map(80L + 2L * _.name.length).sum
}
