package org.streamon.core.constraints

/** A heap of longs, each with a number, the least on top. */
final class LongHeap {
  import LongHeap.Start

  private var keys = new Array[Long](Start)
  private var numbers = new Array[Int](Start)
  private var count = 0
  private var limit = 64

  def size: Int = count

  /** Of its content. */
  def bytes: Long = 12L * count

  /** Of its arrays, which are as long as they need to be, to four times that. */
  def memoryBytes: Long = 12L * keys.length

  /** Long.MaxValue when it is empty. */
  def least: Long = if (count == 0) Long.MaxValue else keys(0)

  def push(key: Long, number: Int): Unit = {
    if (count == keys.length) resize(2 * count)
    var at = count
    count += 1
    while (at > 0 && key < keys(at - 1 >> 1)) {
      move(at - 1 >> 1, at)
      at = at - 1 >> 1
    }
    set(at, key, number)
  }

  /** Takes the top off; its number. */
  def pop(): Int = {
    val top = numbers(0)
    count -= 1
    val (key, number) = (keys(count), numbers(count))
    var at = 0
    var child = lesserChild(at)
    while (child < count && keys(child) < key) {
      move(child, at)
      at = child
      child = lesserChild(at)
    }
    set(at, key, number)
    if (count < keys.length / 4 && keys.length > Start) resize(keys.length / 2)
    top
  }

  /** Takes off all that have the least key; that key. */
  def popAll(): Long = {
    val key = least
    while (count > 0 && least == key) pop()
    key
  }

  def clear(): Unit = {
    count = 0
    resize(Start)
  }

  /** When it has grown to twice what was left the last time, leaves out what a test on key and number does
    * not pass.
    */
  def compact(keep: (Long, Int) => Boolean): Unit = if (count >= limit) {
    val (oldKeys, oldNumbers, old) = (keys, numbers, count)
    clear()
    for (k <- 0 until old if keep(oldKeys(k), oldNumbers(k))) push(oldKeys(k), oldNumbers(k))
    limit = math.max(64, 2 * count)
  }

  private def resize(length: Int): Unit = {
    keys = java.util.Arrays.copyOf(keys, length)
    numbers = java.util.Arrays.copyOf(numbers, length)
  }

  private def lesserChild(at: Int) = {
    val left = 2 * at + 1
    if (left + 1 < count && keys(left + 1) < keys(left)) left + 1 else left
  }

  private def move(from: Int, to: Int): Unit = set(to, keys(from), numbers(from))

  private def set(at: Int, key: Long, number: Int): Unit = {
    keys(at) = key
    numbers(at) = number
  }
}

private object LongHeap {
  private val Start = 16
}
