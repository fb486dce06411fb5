package org.streamon.spark.execution.joins

import java.util.Arrays

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.unsafe.Platform

/** The window of an input that memory has no room for: the rows of one key at a time, read from the state
  * store when they are first asked for.
  */
final class SpilledRows(input: Int, store: DurableRows) {
  private var rows = new Array[Array[Byte]](16)
  private var count = 0
  private var key: UnsafeRow = _

  /** From now on the rows of this key are asked for. */
  def turnTo(key: UnsafeRow): Unit = {
    this.key = key
    count = -1
  }

  def size: Int = {
    if (count < 0) {
      count = 0
      store.foreachOf(input, key)(add)
    }
    count
  }

  def pointTo(slot: Int, row: UnsafeRow): Unit = row.pointTo(rows(slot), rows(slot).length)

  private def add(row: UnsafeRow): Unit = {
    if (count == rows.length) rows = Arrays.copyOf(rows, count * 2)
    rows(count) = SpilledRows.bytesOf(row)
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
