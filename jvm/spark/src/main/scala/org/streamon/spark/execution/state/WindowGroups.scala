package org.streamon.spark.execution.state

import java.util.{Arrays, HashMap}

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

/** The window of rows of one input in memory, group by group. */
final class WindowGroups {
  private val groups = new HashMap[UnsafeRow, WindowGroup]

  /** About. */
  var memoryBytes: Long = 0L

  def find(key: UnsafeRow): WindowGroup = groups.get(key)

  /** A group that is not there yet, its key copied. */
  def create(key: UnsafeRow, count: Long): WindowGroup = {
    val group = new WindowGroup(key.copy(), count)
    groups.put(group.key, group)
    memoryBytes += WindowGroups.Overhead + key.getSizeInBytes
    group
  }

  def foreach(f: WindowGroup => Unit): Unit = groups.values.forEach(f(_))
}

object WindowGroups {

  /** What the virtual machine adds: objects, headers, a place in the hash table. */
  private val Overhead = 160L
}

/** One group: the number of rows so far, and the rows of the window that are kept here, the oldest first.
  *
  * @param count
  *   rows so far; a row's number is what it was then
  */
final class WindowGroup(val key: UnsafeRow, var count: Long) {
  private var numbers = WindowGroup.NoNumbers
  private var slots = WindowGroup.NoSlots
  private var first = 0
  private var size = 0

  /** Whether the store has another count. */
  var changed: Boolean = false

  def add(number: Long, slot: Int): Unit = {
    if (size == slots.length) grow()
    val at = (first + size) & (slots.length - 1)
    numbers(at) = number
    slots(at) = slot
    size += 1
  }

  /** The slot of the oldest row, when it has the number; -1 otherwise. It is taken out. */
  def take(number: Long): Int =
    if (size == 0 || numbers(first) != number) -1
    else {
      val slot = slots(first)
      first = (first + 1) & (slots.length - 1)
      size -= 1
      slot
    }

  private def grow(): Unit = {
    val length = math.max(4, slots.length * 2)
    val (oldNumbers, oldSlots, from) = (numbers, slots, first)
    numbers = Arrays.copyOf(oldNumbers, length)
    slots = Arrays.copyOf(oldSlots, length)
    for (k <- 0 until size) {
      numbers(k) = oldNumbers((from + k) & (oldSlots.length - 1))
      slots(k) = oldSlots((from + k) & (oldSlots.length - 1))
    }
    first = 0
  }
}

private object WindowGroup {
  val NoNumbers = new Array[Long](0)
  val NoSlots = new Array[Int](0)
}
