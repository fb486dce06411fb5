package org.streamon.lab

import java.util.SplittableRandom
import org.streamon.core.joins.Row

/** Streams that bring the same values in the same sequence (thesis, Section 5.8.3): for each value every
  * stream has some rows, its multiplicity, which makes its rate. Rows of one value come in random order.
  *
  * @param windows
  *   rows that each holds
  * @param rows
  *   that a stream brings for a value
  */
private[lab] final class ValueStreams(
    windows: IndexedSeq[Int],
    random: SplittableRandom,
    rows: (Int, Int) => Seq[Row]
) {
  private val sliding = new SlidingWindows(windows)
  private var value = 0

  /** The next `count` values. */
  def elements(count: Int): Array[WindowElement] = Array.range(0, count).flatMap { _ =>
    val arrivals = windows.indices.toArray.flatMap(input => rows(input, value).map(input -> _))
    value += 1
    Shuffle(arrivals, random).flatMap { case (input, row) => sliding.arrive(input, row) }
  }
}
