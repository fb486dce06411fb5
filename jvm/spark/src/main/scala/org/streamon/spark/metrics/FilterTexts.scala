package org.streamon.spark.metrics

/** The texts of an adaptive filter, for users. They stay on the driver.
  *
  * @param owner
  *   the user who may see it, by [[org.apache.spark.sql.streamon.SessionOwner]]
  * @param fingerprint
  *   distinguishes filters of one query with the same name, for example in subqueries
  * @param conjuncts
  *   by written position
  */
final case class FilterTexts(
    owner: Option[String],
    operator: String,
    fingerprint: String,
    algorithm: String,
    conjuncts: IndexedSeq[String]
) {

  /** What they take in memory, about. */
  def bytes: Long =
    200L + 2L * (operator.length + fingerprint.length) + conjuncts.map(80L + 2L * _.length).sum
}
