package org.streamon.lab

/** One quantity, measured in several rounds on a machine that does other work too: a verdict is on its
  * median, and is told with the least and the greatest.
  */
private[lab] final case class Spread(rounds: Seq[Double]) {
  private val sorted = rounds.sorted

  def median: Double = sorted(sorted.size / 2)

  def map(f: Double => Double): Spread = Spread(rounds.map(f))

  /** Round by round. */
  def +(other: Spread): Spread = Spread(rounds.lazyZip(other.rounds).map(_ + _))
  def /(other: Spread): Spread = Spread(rounds.lazyZip(other.rounds).map(_ / _))

  override def toString: String = f"$median%.3g (${sorted.head}%.3g to ${sorted.last}%.3g)"
}
