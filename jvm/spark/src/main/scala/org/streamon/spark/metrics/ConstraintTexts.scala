package org.streamon.spark.metrics

/** The texts of the constraints of an MJoin, for users. They stay on the driver.
  *
  * @param owner
  *   the user who may see it, by [[org.apache.spark.sql.streamon.SessionOwner]]
  * @param sharesKeys
  *   whether rows with one key are in several partitions
  * @param inputs
  *   by input, its name in the query, if known
  */
final case class ConstraintTexts(
    owner: Option[String],
    operator: String,
    mode: String,
    retention: Double,
    sharesKeys: Boolean,
    inputs: IndexedSeq[Option[String]],
    constraints: IndexedSeq[ConstraintDescription]
) {

  /** What an input is called in tables. */
  def nameOf(input: Int): String = inputs(input).getOrElse(s"input $input")
}

/** @param of
  *   the input that it is about; of RIDS the one that is referred to
  * @param referring
  *   of RIDS the input whose rows refer to it
  * @param hint
  *   that declares it; none where inputs have no names
  */
final case class ConstraintDescription(
    text: String,
    kind: String,
    of: Int,
    referring: Option[Int],
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
