package org.streamon.spark.execution.joins

import java.util.Arrays

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

/** The rows of one input in memory. A row is a slot; the rows of a key form a chain, from which each can be
  * taken at once.
  *
  * @param input
  *   its number
  */
final class Synopsis(input: Int) {
  private var bytes = new Array[Array[Byte]](Synopsis.Start)
  private var groups = new Array[KeyGroup](Synopsis.Start)
  private var times = new Array[Long](Synopsis.Start)
  private var sequences = new Array[Long](Synopsis.Start)
  private var nexts = new Array[Int](Synopsis.Start)
  private var previous = new Array[Int](Synopsis.Start)

  /** Slots given back, as a chain by `nexts`, and the first slot never given out. */
  private var free = -1
  private var end = 0

  /** Rows held, and their bytes with what the virtual machine adds, about. */
  var size: Long = 0L
  var memoryBytes: Long = 0L

  /** Adds a row, as the newest of its group.
    *
    * @param row
    *   its bytes, kept
    * @param time
    *   microseconds by which it expires
    * @param sequence
    *   with the time its name in the state store; negative when the store does not have it
    */
  def add(group: KeyGroup, row: Array[Byte], time: Long, sequence: Long): Int = {
    val slot = take()
    bytes(slot) = row
    groups(slot) = group
    times(slot) = time
    sequences(slot) = sequence
    val head = group.heads(input)
    nexts(slot) = head
    previous(slot) = -1
    if (head >= 0) previous(head) = slot
    group.heads(input) = slot
    size += 1
    memoryBytes += Synopsis.RowOverhead + row.length
    slot
  }

  /** Takes a row out. What is said of the slot holds until the next row is added. */
  def remove(slot: Int): Unit = {
    val (before, after) = (previous(slot), nexts(slot))
    if (before < 0) groups(slot).heads(input) = after else nexts(before) = after
    if (after >= 0) previous(after) = before
    size -= 1
    memoryBytes -= Synopsis.RowOverhead + bytes(slot).length
    bytes(slot) = null
    groups(slot) = null
    nexts(slot) = free
    free = slot
  }

  /** The next older row of the same group; -1 for none. */
  def next(slot: Int): Int = nexts(slot)
  def time(slot: Int): Long = times(slot)
  def sequence(slot: Int): Long = sequences(slot)
  def group(slot: Int): KeyGroup = groups(slot)
  def pointTo(slot: Int, row: UnsafeRow): Unit = row.pointTo(bytes(slot), bytes(slot).length)

  private def take(): Int =
    if (free >= 0) {
      val slot = free
      free = nexts(slot)
      slot
    } else {
      if (end == bytes.length) grow()
      end += 1
      end - 1
    }

  private def grow(): Unit = {
    val length = bytes.length * 2
    bytes = Arrays.copyOf(bytes, length)
    groups = Arrays.copyOf(groups, length)
    times = Arrays.copyOf(times, length)
    sequences = Arrays.copyOf(sequences, length)
    nexts = Arrays.copyOf(nexts, length)
    previous = Arrays.copyOf(previous, length)
  }
}

object Synopsis {
  private val Start = 16

  /** The slot, the place in the queue, and the header of the bytes. */
  private val RowOverhead = 56L

  /** The time of a row that never expires. */
  val Never: Long = Long.MaxValue
}
