package org.streamon.lab

import org.streamon.core.joins.Row
import org.streamon.lab.baselines.ElementJoin
import scala.collection.mutable

/** An insertion into, or deletion from, an input's window. */
private[lab] final case class WindowElement(input: Int, row: Row, insert: Boolean) {

  /** @param emit
    *   takes each result that comes or goes
    */
  def feed(join: ElementJoin)(emit: IndexedSeq[Row] => Unit): Unit =
    if (insert) join.insert(input, row)(emit) else join.delete(input, row)(emit)
}

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
