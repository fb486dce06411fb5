package org.streamon.spark.metrics

/** How an adaptive filter is told to people. Stays on the driver.
  *
  * @param owner
  *   who may see it, by [[org.apache.spark.sql.streamon.SessionOwner]]
  * @param fingerprint
  *   tells apart filters of one query that bear the same name, as those of subqueries may
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
