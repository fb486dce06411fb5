package org.streamon.core.constraints

import java.util.Arrays

/** Numbers, without a box for each. */
final class LongBuffer {
  private var numbers = new Array[Long](64)
  private var count = 0

  def size: Int = count

  /** The numbers are the first `size`; good until the next is added. */
  def array: Array[Long] = numbers

  def apply(k: Int): Long = numbers(k)

  def add(number: Long): Unit = {
    if (count == numbers.length) numbers = Arrays.copyOf(numbers, 2 * count)
    numbers(count) = number
    count += 1
  }

  def clear(): Unit = count = 0
}
