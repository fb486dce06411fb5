package org.streamon.spark.execution.joins

import java.util.ArrayList

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.streamon.spark.execution.state.{DurableWindows, InOrder, Mirror, SpilledRows}

/** The rows that one micro-batch processes in one partition, in order: the new and the waiting rows up to the
  * watermark. New rows above the watermark wait. So each row is processed in the first micro-batch whose
  * watermark reaches its time, and the order does not depend on the boundaries of micro-batches (thesis,
  * Section 2.3: the input manager). Rows without a time are dropped.
  *
  * @param here
  *   by input, whether a row joins here; null where all do
  * @param late
  *   microseconds: rows up to it are late
  * @param ready
  *   microseconds: rows up to it are processed
  * @param dropped
  *   told the input of each late row that joins here
  */
final class OrderedArrivals(
    order: InOrder,
    arriving: IndexedSeq[Iterator[InternalRow]],
    widths: Array[Int],
    here: Array[UnsafeRow => Boolean],
    late: Long,
    ready: Long,
    mirror: Mirror,
    store: DurableWindows,
    dropped: Int => Unit
) {
  private val n = order.inputs.size
  private val times = order.inputs.map(_.time).toArray
  private val ties = order.inputs.map(_.window.fold(-1)(_.tie)).toArray
  private val state = mirror.windows.get
  private val rows = new ArrayList[ArrivedRow]
  private val current = widths.map(new UnsafeRow(_))
  private var at = -1

  /** Rows that wait from now on, and that wait no more. */
  var added: Long = 0L
  var taken: Long = 0L

  /** The row at hand. */
  def input: Int = rows.get(at).input
  def own: Boolean = rows.get(at).own
  def row: UnsafeRow = current(input)

  /** Moves on to the next row; false when there is none. */
  def next(): Boolean = {
    if (at < 0) gather() else rows.set(at, null)
    at += 1
    val more = at < rows.size
    if (more) row.pointTo(rows.get(at).bytes, rows.get(at).bytes.length)
    more
  }

  private def gather(): Unit = {
    var i = 0
    while (i < n) {
      if (state.waits(i)) store.takePending(i, ready)((time, row) => add(i, time, row, waited = true))
      while (arriving(i).hasNext) arrive(i, arriving(i).next().asInstanceOf[UnsafeRow])
      i += 1
    }
    rows.sort(ArrivedRow.order(order.inputs.map(_.place).toArray))
  }

  private def arrive(input: Int, row: UnsafeRow): Unit = if (!row.isNullAt(times(input))) {
    val time = row.getLong(times(input))
    if (time <= late) {
      if (joins(input, row)) dropped(input)
    } else if (time <= ready) add(input, time, row, waited = false)
    else {
      store.putPending(input, time, mirror.sequence, row)
      mirror.sequence += 1
      count(input, joins(input, row), 1L)
      added += 1
    }
  }

  private def add(input: Int, time: Long, row: UnsafeRow, waited: Boolean): Unit = {
    val own = joins(input, row)
    val tie = if (ties(input) < 0) 0L else row.getLong(ties(input))
    rows.add(new ArrivedRow(input, time, tie, own, SpilledRows.bytesOf(row)))
    if (waited) {
      count(input, own, -1L)
      taken += 1
    }
  }

  private def count(input: Int, own: Boolean, by: Long): Unit =
    if (own) state.pending(input) += by else state.pendingElsewhere(input) += by

  private def joins(input: Int, row: UnsafeRow) = here(input) == null || here(input)(row)
}
