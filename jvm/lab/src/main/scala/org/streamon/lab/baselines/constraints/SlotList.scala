package org.streamon.lab.baselines.constraints

/** A list of an int and a long each: a work list, so that cascades are as deep as the join graph without a
  * stack, and as wide as they may be.
  */
private[constraints] final class SlotList {
  private var ints = new Array[Int](16)
  private var longs = new Array[Long](16)
  private var count = 0

  def size: Int = count

  def first(k: Int): Int = ints(k)

  def second(k: Int): Long = longs(k)

  def add(int: Int, long: Long): Unit = {
    if (count == ints.length) {
      ints = java.util.Arrays.copyOf(ints, 2 * count)
      longs = java.util.Arrays.copyOf(longs, 2 * count)
    }
    ints(count) = int
    longs(count) = long
    count += 1
  }

  def clear(): Unit = count = 0
}
