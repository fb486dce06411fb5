package org.streamon.spark.execution.state

import java.util.Arrays

/** The time at which the row of a slot expires. */
trait Times {
  def time(slot: Int): Long
}

/** The rows of a synopsis in a binary heap by the time at which they expire, the earliest first. Rows mostly
  * come in the order of their times, so that adding one costs one comparison. Removing any row costs the
  * logarithm of the number of rows.
  */
final class ExpiryQueue(synopsis: Times) {
  private var slots = new Array[Int](16)
  private var count = 0

  /** By slot, its place in the heap; -1 when it is not there. */
  private var places = Array.fill(16)(-1)

  def isEmpty: Boolean = count == 0

  def memoryBytes: Long = 4L * (slots.length + places.length)

  /** The slot of the earliest row; there must be one. */
  def head: Int = slots(0)

  def add(slot: Int): Unit = {
    if (count == slots.length) slots = Arrays.copyOf(slots, count * 2)
    if (slot >= places.length) {
      val known = places.length
      places = Arrays.copyOf(places, math.max(slot + 1, known * 2))
      Arrays.fill(places, known, places.length, -1)
    }
    count += 1
    rise(slot, count - 1)
  }

  /** Takes the earliest row out; there must be one. */
  def remove(): Int = {
    val first = slots(0)
    remove(first)
    first
  }

  /** Takes a row out, if it is there; its time must still be known. */
  def remove(slot: Int): Unit = if (slot < places.length && places(slot) >= 0) {
    val at = places(slot)
    places(slot) = -1
    count -= 1
    if (at < count) {
      val last = slots(count)
      if (at > 0 && synopsis.time(last) < synopsis.time(slots((at - 1) >>> 1))) rise(last, at)
      else sink(last, at)
    }
  }

  private def rise(slot: Int, from: Int): Unit = {
    val time = synopsis.time(slot)
    var at = from
    while (at > 0 && time < synopsis.time(slots((at - 1) >>> 1))) {
      put(at, slots((at - 1) >>> 1))
      at = (at - 1) >>> 1
    }
    put(at, slot)
  }

  private def sink(slot: Int, from: Int): Unit = {
    val time = synopsis.time(slot)
    var at = from
    var child = earlierChild(at)
    while (child < count && synopsis.time(slots(child)) < time) {
      put(at, slots(child))
      at = child
      child = earlierChild(at)
    }
    put(at, slot)
  }

  private def put(at: Int, slot: Int): Unit = {
    slots(at) = slot
    places(slot) = at
  }

  private def earlierChild(at: Int): Int = {
    val left = 2 * at + 1
    if (left + 1 < count && synopsis.time(slots(left + 1)) < synopsis.time(slots(left))) left + 1 else left
  }
}
