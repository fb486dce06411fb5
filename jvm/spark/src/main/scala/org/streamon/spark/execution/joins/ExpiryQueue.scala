package org.streamon.spark.execution.joins

import java.util.Arrays

/** The time at which the row of a slot goes. */
trait Times {
  def time(slot: Int): Long
}

/** The rows of a synopsis by the time at which they go, the earliest first: a binary heap. Rows mostly come
  * in the order of their time, which costs a comparison each; one that goes costs the logarithm of those
  * kept.
  */
final class ExpiryQueue(synopsis: Times) {
  private var slots = new Array[Int](16)
  private var count = 0

  def isEmpty: Boolean = count == 0

  /** The slot of the earliest row; there must be one. */
  def head: Int = slots(0)

  def add(slot: Int): Unit = {
    if (count == slots.length) slots = Arrays.copyOf(slots, count * 2)
    val time = synopsis.time(slot)
    var at = count
    count += 1
    while (at > 0 && time < synopsis.time(slots((at - 1) >>> 1))) {
      slots(at) = slots((at - 1) >>> 1)
      at = (at - 1) >>> 1
    }
    slots(at) = slot
  }

  /** Takes the earliest row out; there must be one. */
  def remove(): Int = {
    val first = slots(0)
    count -= 1
    if (count > 0) sink(slots(count))
    first
  }

  private def sink(slot: Int): Unit = {
    val time = synopsis.time(slot)
    var at = 0
    var child = earlierChild(at)
    while (child < count && synopsis.time(slots(child)) < time) {
      slots(at) = slots(child)
      at = child
      child = earlierChild(at)
    }
    slots(at) = slot
  }

  private def earlierChild(at: Int): Int = {
    val left = 2 * at + 1
    if (left + 1 < count && synopsis.time(slots(left + 1)) < synopsis.time(slots(left))) left + 1 else left
  }
}
