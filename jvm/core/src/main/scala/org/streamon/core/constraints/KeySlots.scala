package org.streamon.core.constraints

import org.streamon.core.joins.HashChains

/** Keys in numbered slots, found by a hash index, each with moments that are counted in arrivals. A slot that
  * is free is used again.
  *
  * @param reoccurring
  *   whether a key has more than its base: where an arrival of the key ends the wait for it, that is all
  */
private[constraints] final class KeySlots(reoccurring: Boolean) {
  private var chains = new HashChains
  private var keys, bases = new Array[Long](16)
  private var firsts, latest = new Array[Long](if (reoccurring) 16 else 0)
  private var freed = new Array[Int](16)
  private var freedCount, used = 0

  /** Keys that are here. */
  def size: Int = used - freedCount

  /** Slots in use, and free ones among them, are below. */
  def end: Int = used

  /** Of the keys that are here. */
  def bytes: Long = size * (if (reoccurring) 32L else 16L) + chains.bytes

  /** Of the arrays. */
  def memoryBytes: Long =
    8L * (keys.length + bases.length + firsts.length + latest.length) + 4L * freed.length + chains.memoryBytes

  /** Slots that there are arrays for. */
  def capacity: Int = keys.length

  /** Whether that is far more than there are keys. */
  def isSparse: Boolean = capacity > KeySlots.Least && size < capacity / 4

  /** -1 when it is not here. */
  def find(key: Long): Int = {
    var slot = chains.first(HashChains.hash(key))
    while (slot != End && keys(slot) != key) slot = chains.next(slot)
    slot
  }

  def key(slot: Int): Long = keys(slot)

  /** From when its age counts. */
  def base(slot: Int): Long = bases(slot)

  /** When it came first. */
  def first(slot: Int): Long = if (reoccurring) firsts(slot) else bases(slot)

  /** When it came last. */
  def last(slot: Int): Long = if (reoccurring) latest(slot) else bases(slot)

  def add(key: Long, base: Long, last: Long, first: Long): Int = {
    val slot = take()
    keys(slot) = key
    bases(slot) = base
    if (reoccurring) {
      latest(slot) = last
      firsts(slot) = first
    }
    chains.add(slot, HashChains.hash(key))
    slot
  }

  /** The key comes again, which moves its base by one. */
  def reoccurs(slot: Int, now: Long): Unit = {
    bases(slot) += 1
    latest(slot) = now
  }

  /** Frees a slot. */
  def remove(slot: Int): Unit = {
    chains.remove(slot)
    if (freedCount == freed.length) freed = java.util.Arrays.copyOf(freed, 2 * freedCount)
    freed(freedCount) = slot
    freedCount += 1
  }

  /** Moves a key to a slot below, before `fit`. */
  def move(from: Int, to: Int): Unit = {
    keys(to) = keys(from)
    bases(to) = bases(from)
    if (reoccurring) {
      firsts(to) = firsts(from)
      latest(to) = latest(from)
    }
  }

  /** Makes the arrays anew, when all keys are in the first so many slots. */
  def fit(count: Int): Unit = {
    used = count
    freed = new Array[Int](16)
    freedCount = 0
    resize(math.max(16, 2 * count))
    chains = new HashChains
    var slot = 0
    while (slot < count) {
      chains.add(slot, HashChains.hash(keys(slot)))
      slot += 1
    }
  }

  private def take(): Int =
    if (freedCount > 0) {
      freedCount -= 1
      freed(freedCount)
    } else {
      if (used == keys.length) resize(2 * used)
      used += 1
      used - 1
    }

  private def resize(length: Int): Unit = {
    keys = java.util.Arrays.copyOf(keys, length)
    bases = java.util.Arrays.copyOf(bases, length)
    if (reoccurring) {
      firsts = java.util.Arrays.copyOf(firsts, length)
      latest = java.util.Arrays.copyOf(latest, length)
    }
  }
}

private object KeySlots {

  /** Slots whose arrays are not made smaller. */
  private val Least = 64
}
