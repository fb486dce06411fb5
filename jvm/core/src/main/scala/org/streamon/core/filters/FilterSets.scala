package org.streamon.core.filters

/** Sets of filters in numbered slots, each in the words behind those of the one before: a scan of all of them
  * reads memory from end to end, where objects would be all over it.
  *
  * @param n
  *   number of filters
  */
private[core] final class FilterSets(n: Int, slots: Int) {
  private val stride = FilterSet.words(n)
  private val words = new Array[Long](stride * slots)

  def contains(slot: Int, q: Int): Boolean = (words(slot * stride + (q >>> 6)) >>> q & 1L) != 0L

  /** Whether the set in a slot and another have a member in common. */
  def intersects(slot: Int, set: FilterSet): Boolean = FilterSet.intersect(words, slot * stride, set.words)

  /** As for a [[FilterSet]], of the set in a slot. */
  def list(slot: Int, into: Array[Int]): Int = FilterSet.list(words, slot * stride, stride, into)

  /** Puts a copy of a set into a slot. */
  def put(slot: Int, set: FilterSet): Unit = FilterSet.copy(set.words, 0, words, slot * stride, stride)

  /** Copies the set in a slot into another one. */
  def get(slot: Int, into: FilterSet): Unit = FilterSet.copy(words, slot * stride, into.words, 0, stride)

  /** Becomes equal to another, of as many slots for as many filters. */
  def set(other: FilterSets): Unit = System.arraycopy(other.words, 0, words, 0, words.length)
}
