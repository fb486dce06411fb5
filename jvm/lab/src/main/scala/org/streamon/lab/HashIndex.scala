package org.streamon.lab

import java.util.SplittableRandom

import org.streamon.core.joins.Mixer

/** A hash index on a window of 10,000 tuples: even keys, by open addressing. */
final class HashIndex(random: SplittableRandom) {
  private val mask = (1 << 15) - 1
  private val slots = Array.fill(mask + 1)(-1)
  private val keys = Array.fill(HashIndex.Entries)(insert(random))

  /** The key of some tuple in the window. */
  def key(choice: Int): Int = keys((choice >>> 1) % HashIndex.Entries)

  def contains(key: Int): Boolean = {
    var slot = HashIndex.scatter(key) & mask
    while (slots(slot) != -1 && slots(slot) != key) slot = slot + 1 & mask
    slots(slot) == key
  }

  private def insert(random: SplittableRandom): Int = {
    val key = random.nextInt(1 << 30) << 1
    var slot = HashIndex.scatter(key) & mask
    while (slots(slot) != -1) slot = slot + 1 & mask
    slots(slot) = key
    key
  }
}

object HashIndex {
  val Entries = 10000

  def scatter(key: Int): Int = Mixer.mix64(key).toInt
}
