package org.streamon.spark.execution.state

import java.util.Arrays

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

/** The rows of one input in memory. Each row has a slot. In each dimension the rows of a key form a linked
  * chain, from which a row is removed in constant time.
  *
  * @param input
  *   its number
  * @param dimensions
  *   those in which it has a key, at least one
  */
final class Synopsis(input: Int, dimensions: Array[Int]) extends Times {
  import Synopsis._

  private var bytes = new Array[Array[Byte]](Start)
  private var times = new Array[Long](Start)
  private var sequences = new Array[Long](Start)

  /** By dimension; null where the input has no key. */
  private val groups = new Array[Array[KeyGroup]](dimensions.max + 1)
  private val nexts = new Array[Array[Int]](dimensions.max + 1)
  private val previous = new Array[Array[Int]](dimensions.max + 1)
  for (d <- dimensions) {
    groups(d) = new Array[KeyGroup](Start)
    nexts(d) = new Array[Int](Start)
    previous(d) = new Array[Int](Start)
  }

  /** By dimension, how many keys there are. */
  private val keyCounts = new Array[Int](dimensions.max + 1)

  private val rowOverhead = RowOverhead + LinkOverhead * dimensions.length

  /** Slots given back, as a chain through those of the first dimension, and the first slot never given out.
    */
  private val first = dimensions(0)
  private var free = -1
  private var end = 0

  /** Rows held, and their bytes with what the virtual machine adds, about. */
  var size: Long = 0L
  var memoryBytes: Long = 0L

  /** Adds a row, as the newest of its groups.
    *
    * @param own
    *   its group, by dimension
    * @param row
    *   its bytes, kept
    * @param time
    *   microseconds by which it expires
    * @param sequence
    *   with the time its name in the state store; negative when the store does not have it
    */
  def add(own: Array[KeyGroup], row: Array[Byte], time: Long, sequence: Long): Int = {
    val slot = take()
    bytes(slot) = row
    times(slot) = time
    sequences(slot) = sequence
    var k = 0
    while (k < dimensions.length) {
      link(dimensions(k), own(dimensions(k)), slot)
      k += 1
    }
    size += 1
    memoryBytes += rowOverhead + row.length
    slot
  }

  /** Takes a row out of its groups. What else is said of the slot holds until it is given back. */
  def unlink(slot: Int): Unit = {
    var k = 0
    while (k < dimensions.length) {
      val d = dimensions(k)
      val before = previous(d)(slot)
      val after = nexts(d)(slot)
      if (before < 0) groups(d)(slot).heads(input) = after else nexts(d)(before) = after
      if (before < 0 && after < 0) keyCounts(d) -= 1
      if (after >= 0) previous(d)(after) = before
      k += 1
    }
    size -= 1
    memoryBytes -= bytesOf(slot)
  }

  /** Gives back the slot of a row that was taken out. Its time and its sequence hold until the next row is
    * added.
    */
  def release(slot: Int): Unit = {
    bytes(slot) = null
    var k = 0
    while (k < dimensions.length) {
      groups(dimensions(k))(slot) = null
      k += 1
    }
    nexts(first)(slot) = free
    free = slot
  }

  /** How many different keys the rows have in a dimension. */
  def keys(dimension: Int): Int = keyCounts(dimension)

  /** The next older row of the same group; -1 for none. */
  def next(dimension: Int, slot: Int): Int = nexts(dimension)(slot)
  def group(dimension: Int, slot: Int): KeyGroup = groups(dimension)(slot)
  override def time(slot: Int): Long = times(slot)
  def sequence(slot: Int): Long = sequences(slot)

  /** The slot, with the low 32 bits of the sequence above it: which another row of the slot has only after
    * 2^32 rows.
    */
  def reference(slot: Int): Long = sequences(slot) << 32 | slot

  def holds(reference: Long): Boolean = {
    val slot = reference.toInt
    bytes(slot) != null && this.reference(slot) == reference
  }

  def pointTo(slot: Int, row: UnsafeRow): Unit = row.pointTo(bytes(slot), bytes(slot).length)

  /** Whether a row is there. */
  def isUsed(slot: Int): Boolean = slot < end && bytes(slot) != null

  /** What the row of a slot takes, with what the virtual machine adds, about. */
  def bytesOf(slot: Int): Long = rowOverhead + bytes(slot).length

  /** Gives the slots that have a row. */
  def foreach(each: Int => Unit): Unit = {
    var slot = 0
    while (slot < end) {
      if (isUsed(slot)) each(slot)
      slot += 1
    }
  }

  private def link(d: Int, group: KeyGroup, slot: Int): Unit = {
    groups(d)(slot) = group
    val head = group.heads(input)
    nexts(d)(slot) = head
    previous(d)(slot) = -1
    if (head >= 0) previous(d)(head) = slot else keyCounts(d) += 1
    group.heads(input) = slot
  }

  private def take(): Int =
    if (free >= 0) {
      val slot = free
      free = nexts(first)(slot)
      slot
    } else {
      if (end == bytes.length) grow()
      end += 1
      end - 1
    }

  private def grow(): Unit = {
    val length = bytes.length * 2
    bytes = Arrays.copyOf(bytes, length)
    times = Arrays.copyOf(times, length)
    sequences = Arrays.copyOf(sequences, length)
    for (d <- dimensions) {
      groups(d) = Arrays.copyOf(groups(d), length)
      nexts(d) = Arrays.copyOf(nexts(d), length)
      previous(d) = Arrays.copyOf(previous(d), length)
    }
  }
}

object Synopsis {
  private val Start = 16

  /** What is kept of a row beside its links: the reference and the header of its bytes, its time, its
    * sequence, its place in the queue.
    */
  private val RowOverhead = 44L

  /** In each dimension: the group, and the rows beside it. */
  private val LinkOverhead = 12L

  /** The time of a row that never expires. */
  val Never: Long = Long.MaxValue
}
