package org.streamon.spark.metrics

/** How the constraints of an MJoin are told to people. Stays on the driver.
  *
  * @param owner
  *   who may see it, by [[org.apache.spark.sql.streamon.SessionOwner]]
  * @param sharesKeys
  *   whether rows with one key are in several partitions
  * @param inputs
  *   by input, what the query calls it, if it can be told
  */
final case class ConstraintTexts(
    owner: Option[String],
    operator: String,
    mode: String,
    retention: Double,
    sharesKeys: Boolean,
    inputs: IndexedSeq[Option[String]],
    constraints: IndexedSeq[ConstraintDescription]
)

/** @param hint
  *   that declares it; none where inputs have no names
  */
final case class ConstraintDescription(
    text: String,
    kind: String,
    parent: Option[Int],
    child: Int,
    declared: Boolean,
    hint: Option[ConstraintHint]
)

/** A hint, with a k or without.
  *
  * @param beforeK
  *   its text up to k, or all of it
  */
final case class ConstraintHint(beforeK: String, hasK: Boolean) {

  /** None where it needs a k that is not known. */
  def text(k: Option[Long]): Option[String] = if (hasK) k.map(known => s"$beforeK$known)") else Some(beforeK)
}
