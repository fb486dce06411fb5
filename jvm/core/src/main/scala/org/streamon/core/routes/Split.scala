package org.streamon.core.routes

/** A test with what it tells.
  *
  * @param gain
  *   the entropy of the labels that it takes away, times density
  */
private[routes] final case class Split(test: Test, nullsMatch: Boolean, gain: Double) {

  /** The one with more gain; this one of equals. */
  def or(other: Option[Split]): Split = other.filter(_.gain > gain).getOrElse(this)
}

private[routes] object Split {
  def best(one: Option[Split], other: Option[Split]): Option[Split] =
    one.map(_.or(other)).orElse(other)
}
