package org.streamon.lab.baselines.constraints

import org.streamon.core.joins.HashChains

/** Tuples of one input in arrays of primitives, with hash indexes. A tuple has a slot from `store` to `free`,
  * and is found by its values from `enter` to `leave`.
  *
  * @param width
  *   values that each keeps
  * @param indexed
  *   which of them have an index, by position
  * @param queued
  *   whether those entered are also kept in the sequence in which they entered
  * @param marked
  *   whether each has a set of bits
  */
private[constraints] final class TupleStore(
    width: Int,
    indexed: Array[Int],
    queued: Boolean,
    marked: Boolean
) {
  private var values = new Array[Long](16 * width)
  private var orders = new Array[Long](16)
  private var parts = new Array[Byte](16)
  private var bits = if (marked) new Array[Long](16) else Array.empty[Long]
  private var earlier = if (queued) new Array[Int](16) else Array.empty[Int]
  private var later = if (queued) new Array[Int](16) else Array.empty[Int]
  private var freed = new Array[Int](16)
  private var freedCount = 0
  private var slots = 0
  private var entered = 0
  private var first, last = End
  private val indexes = Array.fill(indexed.length)(new HashChains)

  /** Tuples entered. */
  def size: Int = entered

  /** Slots that there have ever been. */
  def slotCount: Int = slots

  /** What one more takes, about. */
  def bytesEach: Long = ownBytes + 16 * indexed.length

  /** Without its places in the indexes. */
  private val ownBytes = 8L * width + 8 + 1 + (if (marked) 8 else 0) + (if (queued) 8 else 0)

  /** What the tuples take, with their indexes. Slots that are free are used again and not counted. */
  def bytes: Long = {
    var sum = entered * ownBytes
    var k = 0
    while (k < indexes.length) {
      sum += indexes(k).bytes
      k += 1
    }
    sum
  }

  /** A slot for a tuple whose values are then set.
    *
    * @param order
    *   by which it will expire
    */
  def store(order: Long): Int = {
    val slot = if (freedCount > 0) freed(freedCount - 1) else slots
    if (slot == slots) {
      if (slot == orders.length) grow()
      slots += 1
    } else freedCount -= 1
    orders(slot) = order
    if (marked) bits(slot) = 0L
    slot
  }

  def free(slot: Int): Unit = {
    if (freedCount == freed.length) freed = java.util.Arrays.copyOf(freed, 2 * freedCount)
    freed(freedCount) = slot
    freedCount += 1
    parts(slot) = Part.Free
  }

  def enter(slot: Int, part: Byte): Unit = {
    parts(slot) = part
    var k = 0
    while (k < indexes.length) {
      indexes(k).add(slot, HashChains.hash(value(slot, indexed(k))))
      k += 1
    }
    if (queued) {
      earlier(slot) = last
      later(slot) = End
      if (last == End) first = slot else later(last) = slot
      last = slot
    }
    entered += 1
  }

  def leave(slot: Int): Unit = {
    var k = 0
    while (k < indexes.length) {
      indexes(k).remove(slot)
      k += 1
    }
    if (queued) {
      if (earlier(slot) == End) first = later(slot) else later(earlier(slot)) = later(slot)
      if (later(slot) == End) last = earlier(slot) else earlier(later(slot)) = earlier(slot)
    }
    entered -= 1
  }

  /** That which entered first; `End` when there is none. */
  def oldest: Int = first

  def value(slot: Int, position: Int): Long = values(slot * width + position)

  def set(slot: Int, position: Int, value: Long): Unit = values(slot * width + position) = value

  def order(slot: Int): Long = orders(slot)

  /** `Part.Free` when no tuple has entered there. */
  def part(slot: Int): Byte = parts(slot)

  def part_=(slot: Int, part: Byte): Unit = parts(slot) = part

  /** 0 where tuples have no bits. */
  def marks(slot: Int): Long = if (marked) bits(slot) else 0L

  def mark(slot: Int, set: Long): Unit = bits(slot) |= set

  /** The first slot with a value, by the number of an index; `End` when there is none. */
  def find(index: Int, value: Long): Int = settle(index, indexes(index).first(HashChains.hash(value)), value)

  /** The one after it with the same value. */
  def next(index: Int, slot: Int): Int =
    settle(index, indexes(index).next(slot), value(slot, indexed(index)))

  private def settle(index: Int, start: Int, key: Long): Int = {
    var slot = start
    while (slot != End && value(slot, indexed(index)) != key) slot = indexes(index).next(slot)
    slot
  }

  private def grow(): Unit = {
    val size = 2 * orders.length
    values = java.util.Arrays.copyOf(values, size * width)
    orders = java.util.Arrays.copyOf(orders, size)
    parts = java.util.Arrays.copyOf(parts, size)
    if (marked) bits = java.util.Arrays.copyOf(bits, size)
    if (queued) {
      earlier = java.util.Arrays.copyOf(earlier, size)
      later = java.util.Arrays.copyOf(later, size)
    }
  }
}

/** Which part of its synopsis a tuple is in (thesis, Section 6.4). */
private[constraints] object Part {
  val Free: Byte = 0

  /** Joins with all of G_S. */
  val Yes: Byte = 1

  /** May yet. */
  val Unknown: Byte = 2

  /** Never will. */
  val No: Byte = 3
}
