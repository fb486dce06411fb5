package org.streamon.lab

import org.streamon.core.joins.Row
import scala.collection.mutable

/** An insertion into, or deletion from, an input's window. */
private[lab] final case class WindowElement(input: Int, row: Row, insert: Boolean)

/** Sliding windows of the latest rows.
  *
  * @param sizes
  *   in rows, by input
  */
private[lab] final class SlidingWindows(sizes: IndexedSeq[Int]) {
  private val windows = sizes.map(_ => mutable.Queue.empty[Row])

  /** An arrival, followed by the row that it pushes out of a full window. */
  def arrive(input: Int, row: Row): Seq[WindowElement] = {
    windows(input).enqueue(row)
    val expired = if (windows(input).size > sizes(input)) Some(windows(input).dequeue()) else None
    WindowElement(input, row, insert = true) +: expired.map(WindowElement(input, _, insert = false)).toSeq
  }
}
