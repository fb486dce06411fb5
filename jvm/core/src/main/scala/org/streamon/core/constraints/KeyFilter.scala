package org.streamon.core.constraints

import org.streamon.core.joins.Mixer

/** Which keys may be among many, in ten bits for each: a Bloom filter with four hashes, by which one key in
  * eighty is taken for another. What the thesis suggests where results must not be missed (Section 6.6.3).
  *
  * @param expected
  *   keys that it is made for, 1 or more
  */
final class KeyFilter(expected: Long) {
  private val bits = new Array[Long](KeyFilter.words(expected))
  private var added = 0L

  def bytes: Long = 8L * bits.length

  /** Whether more keys would spoil it. */
  def isFull: Boolean = added * 10 > bits.length * 64L

  def add(key: Long): Unit = {
    var hash = Mixer.mix64(key)
    val step = Mixer.mix64(~key) | 1L
    var k = 0
    while (k < 4) {
      val bit = hash >>> 32
      bits((bit >>> 6).toInt & bits.length - 1) |= 1L << bit
      hash += step
      k += 1
    }
    added += 1
  }

  /** False for none of those that were added. */
  def mayHave(key: Long): Boolean = {
    var hash = Mixer.mix64(key)
    val step = Mixer.mix64(~key) | 1L
    var k = 0
    while (k < 4 && hasBit(hash >>> 32)) {
      hash += step
      k += 1
    }
    k == 4
  }

  private def hasBit(bit: Long) = (bits((bit >>> 6).toInt & bits.length - 1) >>> bit & 1L) != 0L
}

private object KeyFilter {

  /** A power of two. */
  private def words(expected: Long): Int =
    math.max(java.lang.Long.highestOneBit((expected * 10 - 1) / 64) * 2, 1L).toInt
}
