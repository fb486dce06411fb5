package org.streamon.lab

import java.util.SplittableRandom

/** Streams of one column each, under sliding windows of the latest `window` rows.
  *
  * @param rates
  *   of the streams, in proportion
  */
private[lab] final class JoinStreams(rates: IndexedSeq[Double], window: Int, random: SplittableRandom) {
  private val windows = new SlidingWindows(rates.map(_ => window))

  /** `count` arrivals, each followed by the row that it pushes out of a full window.
    *
    * @param draw
    *   the value that a stream brings
    */
  def elements(count: Int, draw: (Int, SplittableRandom) => Int): Array[WindowElement] =
    Array.range(0, count).flatMap { _ =>
      val input = arriving()
      windows.arrive(input, Vector(draw(input, random)))
    }

  private def arriving(): Int = {
    val at = random.nextDouble() * rates.sum
    math.max(rates.scanLeft(0.0)(_ + _).lastIndexWhere(_ <= at), 0).min(rates.size - 1)
  }
}
