package org.streamon.spark.execution.joins

/** A [[JoinTask]] for inputs with windows of rows. The rows of all inputs are processed one at a time in the
  * order of their event times. A row counts in its window even if it fails a filter, has no key, or joins in
  * another partition.
  *
  * @param windows
  *   by input, null for those without a window of rows
  */
final class OrderedJoinTask(parts: JoinTask.Parts, arrivals: OrderedArrivals, windows: Array[RowWindow])
    extends JoinTask(parts, Vector.empty) {

  override protected def advance(): Unit =
    if (arrivals.next()) {
      input = arrivals.input
      val window = windows(input)
      if (window != null) window.enter(arrivals.row)
      if (arrivals.own) arrive(arrivals.row)
    } else input = parts.shape.size

  override protected def spill(input: Int): Unit = {
    super.spill(input)
    if (windows(input) != null) windows(input) = windows(input).inStore
  }

  /** What is still to come may be of any input. */
  override protected def lastToCome: Boolean = false

  override protected def kept(slot: Int, sequence: Long): Unit =
    if (windows(input) != null) windows(input).kept(slot, sequence)

  override def expire(): Unit = {
    super.expire()
    for (window <- windows if window != null) {
      window.flush()
      removed += window.removed
    }
    updated += arrivals.added
    removed += arrivals.taken
  }

  override def changed: Boolean = super.changed || windows.exists(w => w != null && w.entered > 0)
}
