package org.streamon.core.joins

/** The row at hand in the pipelines of one input, and what has been found for it.
  *
  * @param joined
  *   row by input: the arrival itself, and one row of each window joined with it
  */
private[joins] final class Arrival(input: Int, val joined: Array[Long]) {

  /** By window, where its matches begin. */
  val heads: Array[Long] = new Array[Long](joined.length)

  /** The windows, as bits, whose head was looked up with the arrival alone: it holds until the next arrival.
    */
  var known: Long = 0L

  /** Look-ups by window are counted here. */
  var counts: Array[Long] = new Array[Long](joined.length)

  def begin(row: Long): Unit = {
    joined(input) = row
    known = 0L
  }
}
