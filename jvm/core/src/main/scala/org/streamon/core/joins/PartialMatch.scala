package org.streamon.core.joins

/** The row at hand in the pipelines of one input, and what has been found for it.
  *
  * @param inputs
  *   how many there are
  * @param joined
  *   by place: the arrival itself, one row of each window joined with it, and what else stages keep
  */
private[core] final class PartialMatch(input: Int, inputs: Int, val joined: Array[Long]) {

  /** By place, where its matches begin. */
  val heads: Array[Long] = new Array[Long](joined.length)

  /** The windows, as bits, whose head was looked up with the arrival alone: it holds until the next arrival.
    */
  private var known: Long = 0L

  /** Look-ups by place are counted here. */
  var counts: Array[Long] = new Array[Long](joined.length)

  /** Places below are learned. */
  private var learning = inputs

  /** Where the latest look-up that found nothing looked; -1 when all found something. */
  var missed: Int = -1

  def begin(row: Long): Unit = {
    joined(input) = row
    known = 0L
    missed = -1
  }

  def knows(place: Int): Boolean = place < learning && Bits.contains(known, place)

  def learn(place: Int): Unit = if (place < learning) known |= 1L << place

  /** For a nested loop within another: what is joined and the counts are the same, but nothing is looked up
    * with the arrival alone.
    */
  def behind: PartialMatch = {
    val other = new PartialMatch(input, inputs, joined)
    other.counts = counts
    other.learning = 0
    other
  }

  def forget(windows: Long): Unit = known &= ~windows
}
