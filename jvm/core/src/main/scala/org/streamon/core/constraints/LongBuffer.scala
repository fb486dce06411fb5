package org.streamon.core.constraints

import java.util.Arrays

/** Numbers, without a box for each. */
final class LongBuffer {
  private var numbers = new Array[Long](LongBuffer.Start)
  private var count = 0

  def size: Int = count

  /** Of its array. */
  def memoryBytes: Long = 8L * numbers.length

  /** The numbers are the first `size`; good until the next is added. */
  def array: Array[Long] = numbers

  def apply(k: Int): Long = numbers(k)

  def add(number: Long): Unit = {
    if (count == numbers.length) numbers = Arrays.copyOf(numbers, 2 * count)
    numbers(count) = number
    count += 1
  }

  /** Lets go of an array of many. */
  def clear(): Unit = {
    count = 0
    if (numbers.length > LongBuffer.Most) numbers = new Array[Long](LongBuffer.Start)
  }
}

private object LongBuffer {
  private val Start = 64

  /** Numbers in an array that is kept when it is cleared. */
  private val Most = 4096
}
