package org.streamon.spark.execution.constraints

import java.util.BitSet

/** Rows of one input that constraints call dead but that stay in memory, to see whether other rows match
  * them.
  */
final class DeadMarks {
  private val slots = new BitSet

  /** How many there are, and their bytes. */
  var rows: Long = 0L
  var bytes: Long = 0L

  def apply(slot: Int): Boolean = slots.get(slot)

  def add(slot: Int, size: Long): Unit = {
    slots.set(slot)
    rows += 1
    bytes += size
  }

  /** The row leaves. */
  def remove(slot: Int, size: Long): Unit = if (slots.get(slot)) {
    slots.clear(slot)
    rows -= 1
    bytes -= size
  }

  def clear(): Unit = {
    slots.clear()
    rows = 0L
    bytes = 0L
  }

  /** Of the marks. */
  def memoryBytes: Long = slots.size / 8L
}
