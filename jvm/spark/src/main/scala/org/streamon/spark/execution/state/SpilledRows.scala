package org.streamon.spark.execution.state

import java.util.Arrays

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.unsafe.Platform

/** The rows of an input that memory has no room for. The rows of one key are read one at a time from the
  * state store on demand. The latest rows are buffered, so that repeated iterations and several steps of a
  * pipeline do not read the store. If a key has more rows than the buffer, its first rows are read again.
  *
  * @param rowsOf
  *   finds the rows with a key in a dimension
  */
final class SpilledRows(rowsOf: (Int, UnsafeRow) => KeyedRows) {
  private var rows = new Array[Array[Byte]](16)
  private var times, sequences = new Array[Long](16)
  private var dimension = -1
  private var key: UnsafeRow = _
  private var unread: KeyedRows = _

  /** The slot of the first row that is held, how many are, and their bytes. */
  private var first = 0
  private var count = 0
  private var bytes = 0L

  /** Another row has arrived: what is in the store may be other than what was read. */
  def forget(): Unit = {
    dimension = -1
    clear()
  }

  /** From now on slots are those of the rows with this key. */
  def turnTo(dimension: Int, key: UnsafeRow): Unit =
    if (this.dimension != dimension || this.key != key) {
      this.dimension = dimension
      this.key = key.copy()
      begin()
    }

  /** Whether there is a row in a slot: they are filled from 0. */
  def has(slot: Int): Boolean = {
    if (slot < first) begin()
    while (slot >= first + count && read()) ()
    slot < first + count
  }

  /** The row of a slot that there is. */
  def pointTo(slot: Int, row: UnsafeRow): Unit = {
    val k = at(slot)
    row.pointTo(rows(k), rows(k).length)
  }

  /** Time and sequence of a row. */
  def nameOf(slot: Int): (Long, Long) = {
    val k = at(slot)
    (times(k), sequences(k))
  }

  /** Where the rows at hand lie: the dimension, and the key. */
  def place: (Int, UnsafeRow) = (dimension, key)

  private def at(slot: Int): Int = {
    if (slot < first || slot >= first + count) has(slot)
    slot - first
  }

  private def begin(): Unit = {
    clear()
    unread = rowsOf(dimension, key)
  }

  private def clear(): Unit = {
    close()
    first = 0
    count = 0
    bytes = 0L
  }

  /** Holds one more row; false when there is none. */
  private def read(): Boolean =
    if (unread == null) false
    else if (!unread.next()) {
      close()
      false
    } else {
      if (bytes > SpilledRows.Held) {
        first += count
        count = 0
        bytes = 0L
      }
      add(unread.time, unread.sequence, unread.row)
      true
    }

  private def close(): Unit = if (unread != null) {
    unread.close()
    unread = null
  }

  private def add(time: Long, sequence: Long, row: UnsafeRow): Unit = {
    if (count == rows.length) {
      rows = Arrays.copyOf(rows, count * 2)
      times = Arrays.copyOf(times, count * 2)
      sequences = Arrays.copyOf(sequences, count * 2)
    }
    rows(count) = SpilledRows.bytesOf(row)
    times(count) = time
    sequences(count) = sequence
    bytes += SpilledRows.Overhead + row.getSizeInBytes
    count += 1
  }
}

object SpilledRows {

  /** Bytes of one key that are held, about. */
  private val Held = 1L << 20

  /** What a row takes beside its bytes. */
  private val Overhead = 40

  /** A copy of the bytes of a row. */
  def bytesOf(row: UnsafeRow): Array[Byte] = {
    val bytes = new Array[Byte](row.getSizeInBytes)
    row.writeToMemory(bytes, Platform.BYTE_ARRAY_OFFSET)
    bytes
  }
}
