package org.streamon.core.lab

import java.util.SplittableRandom
import org.streamon.core.joins.Row
import scala.collection.mutable

/** An insertion into, or deletion from, an input's window. */
private[lab] final case class WindowElement(input: Int, row: Row, insert: Boolean)

/** Streams of one column each, under sliding windows of the latest `window` rows.
  *
  * @param rates
  *   of the streams, in proportion
  */
private[lab] final class JoinStreams(rates: IndexedSeq[Double], window: Int, random: SplittableRandom) {
  private val windows = rates.map(_ => mutable.Queue.empty[Row])

  /** `count` arrivals, each followed by the row that it pushes out of a full window.
    *
    * @param draw
    *   the value that a stream brings
    */
  def elements(count: Int, draw: (Int, SplittableRandom) => Int): Array[WindowElement] =
    Array.range(0, count).flatMap { _ =>
      val input = arriving()
      val row: Row = Vector(draw(input, random))
      windows(input).enqueue(row)
      val expired = if (windows(input).size > window) Some(windows(input).dequeue()) else None
      WindowElement(input, row, insert = true) +: expired.map(WindowElement(input, _, insert = false)).toSeq
    }

  private def arriving(): Int = {
    val at = random.nextDouble() * rates.sum
    math.max(rates.scanLeft(0.0)(_ + _).lastIndexWhere(_ <= at), 0).min(rates.size - 1)
  }
}
