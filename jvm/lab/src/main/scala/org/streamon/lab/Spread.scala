package org.streamon.lab

/** One quantity, measured in several rounds on a machine that does other work too: a verdict is on its
  * median, and is told with the least and the greatest.
  */
private[lab] final case class Spread(rounds: Seq[Double]) {
  private val sorted = rounds.sorted

  def median: Double = sorted(sorted.size / 2)

  def map(f: Double => Double): Spread = Spread(rounds.map(f))

  override def toString: String = f"$median%.3g (${sorted.head}%.3g to ${sorted.last}%.3g)"
}

private[lab] object Spread {

  /** Round by round, the first over the second. */
  def ratio(first: Spread, second: Spread): Spread =
    Spread(first.rounds.zip(second.rounds).map { case (a, b) => a / b })
}
