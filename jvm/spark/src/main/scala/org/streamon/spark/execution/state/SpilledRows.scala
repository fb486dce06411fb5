package org.streamon.spark.execution.state

import java.util.Arrays

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.unsafe.Platform

/** The window of an input that memory has no room for: the rows of one key at a time, read from the state
  * store when they are asked for.
  */
final class SpilledRows(input: Int, store: DurableRows) {
  private var rows = new Array[Array[Byte]](16)
  private var times, sequences = new Array[Long](16)
  private var count = 0
  private var dimension = -1
  private var key: UnsafeRow = _

  /** Another row has arrived: what is in the store may be other than what was read. */
  def forget(): Unit = dimension = -1

  /** From now on slots are those of the rows with this key. */
  def turnTo(dimension: Int, key: UnsafeRow): Unit =
    if (this.dimension != dimension || this.key != key) {
      this.dimension = dimension
      this.key = key.copy()
      count = 0
      store.foreachOf(input, dimension, key)(add)
    }

  def size: Int = count

  def pointTo(slot: Int, row: UnsafeRow): Unit = row.pointTo(rows(slot), rows(slot).length)

  /** Time and sequence of a row. */
  def nameOf(slot: Int): (Long, Long) = (times(slot), sequences(slot))

  private def add(time: Long, sequence: Long, row: UnsafeRow): Unit = {
    if (count == rows.length) {
      rows = Arrays.copyOf(rows, count * 2)
      times = Arrays.copyOf(times, count * 2)
      sequences = Arrays.copyOf(sequences, count * 2)
    }
    rows(count) = SpilledRows.bytesOf(row)
    times(count) = time
    sequences(count) = sequence
    count += 1
  }
}

object SpilledRows {

  /** A copy of the bytes of a row. */
  def bytesOf(row: UnsafeRow): Array[Byte] = {
    val bytes = new Array[Byte](row.getSizeInBytes)
    row.writeToMemory(bytes, Platform.BYTE_ARRAY_OFFSET)
    bytes
  }
}
