package org.streamon.core.constraints

import java.util.{Arrays, BitSet}

import org.streamon.core.joins.HashChains

/** Keys in numbered slots, found by a hash index, each with a phase, and with moments that are counted in
  * arrivals. A slot that is free is used again. A checkpoint has them in pages of slots: keys of one age lie
  * together, and what happens to keys happens to those of one age.
  *
  * @param reoccurring
  *   whether a key has more than its base: where an arrival of the key ends the wait for it, that is all
  */
private[constraints] final class KeySlots(reoccurring: Boolean) {
  import KeySlots._

  private var chains = new HashChains
  private var keys, bases = new Array[Long](16)
  private var firsts, latest = new Array[Long](if (reoccurring) 16 else 0)
  private var phases = new Array[Byte](16)
  private var freed = new Array[Int](16)
  private var freedCount, used = 0

  /** Of each key in a page. */
  private val numbers = if (reoccurring) 5 else 3

  /** Pages that are not what the checkpoint has. */
  private val changed = new BitSet

  /** Keys that are here. */
  def size: Int = used - freedCount

  /** Slots in use, and free ones among them, are below. */
  def end: Int = used

  /** Of the keys that are here. */
  def bytes: Long = size * (if (reoccurring) 33L else 17L) + chains.bytes

  /** Of the arrays. */
  def memoryBytes: Long = 8L * (keys.length + bases.length + firsts.length + latest.length) + phases.length +
    4L * freed.length + chains.memoryBytes

  /** Whether there are arrays for far more than the keys. */
  def isSparse: Boolean = keys.length > Least && size < keys.length / 4

  /** -1 when it is not here. */
  def find(key: Long): Int = {
    var slot = chains.first(HashChains.hash(key))
    while (slot != End && keys(slot) != key) slot = chains.next(slot)
    slot
  }

  def key(slot: Int): Long = keys(slot)

  /** `Free` when there is no key. */
  def phase(slot: Int): Byte = phases(slot)

  /** From when its age counts. */
  def base(slot: Int): Long = bases(slot)

  /** When it came first. */
  def first(slot: Int): Long = if (reoccurring) firsts(slot) else bases(slot)

  /** When it came last. */
  def last(slot: Int): Long = if (reoccurring) latest(slot) else bases(slot)

  def add(key: Long, base: Long, last: Long, first: Long, phase: Byte): Int = {
    val slot = take()
    put(slot, key, base, last, first, phase)
    changes(slot)
    slot
  }

  private def put(slot: Int, key: Long, base: Long, last: Long, first: Long, phase: Byte): Unit = {
    keys(slot) = key
    bases(slot) = base
    if (reoccurring) {
      latest(slot) = last
      firsts(slot) = first
    }
    phases(slot) = phase
    chains.add(slot, HashChains.hash(key))
  }

  /** The key of a slot gets into a phase, other than `Free`. */
  def become(slot: Int, phase: Byte): Unit = if (phases(slot) != phase) {
    phases(slot) = phase
    changes(slot)
  }

  /** The key comes again, which moves its base by one. */
  def reoccurs(slot: Int, now: Long): Unit = {
    bases(slot) += 1
    latest(slot) = now
    changes(slot)
  }

  /** Frees a slot. */
  def remove(slot: Int): Unit = {
    chains.remove(slot)
    phases(slot) = Free
    free(slot)
    changes(slot)
  }

  private def free(slot: Int): Unit = {
    if (freedCount == freed.length) freed = Arrays.copyOf(freed, 2 * freedCount)
    freed(freedCount) = slot
    freedCount += 1
  }

  private def changes(slot: Int): Unit = changed.set(slot / Monitor.PageSize)

  /** Moves the keys into the first slots, and makes the arrays fit them. */
  def pack(): Unit = {
    changed.set(0, pages)
    var from, to = 0
    while (from < used) {
      if (phases(from) != Free) {
        move(from, to)
        to += 1
      }
      from += 1
    }
    used = to
    freed = new Array[Int](16)
    freedCount = 0
    resize(math.max(16, 2 * to))
    Arrays.fill(phases, to, phases.length, Free)
    chains = new HashChains
    for (slot <- 0 until to) chains.add(slot, HashChains.hash(keys(slot)))
  }

  private def move(from: Int, to: Int): Unit = {
    keys(to) = keys(from)
    bases(to) = bases(from)
    phases(to) = phases(from)
    if (reoccurring) {
      firsts(to) = firsts(from)
      latest(to) = latest(from)
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
    keys = Arrays.copyOf(keys, length)
    bases = Arrays.copyOf(bases, length)
    phases = Arrays.copyOf(phases, length)
    if (reoccurring) {
      firsts = Arrays.copyOf(firsts, length)
      latest = Arrays.copyOf(latest, length)
    }
  }

  private def pages: Int = (used + Monitor.PageSize - 1) / Monitor.PageSize

  def hasChanged: Boolean = !changed.isEmpty

  /** Gives the pages that have changed since the latest call; one without keys is empty. */
  def changedPages(each: (Long, Array[Long]) => Unit): Unit = {
    var page = changed.nextSetBit(0)
    while (page >= 0) {
      each(page.toLong, contentOf(page))
      page = changed.nextSetBit(page + 1)
    }
    changed.clear()
  }

  /** For each key: its slot with its phase, itself, its base, and what else it has. */
  private def contentOf(page: Int): Array[Long] = {
    val content = new Array[Long](numbers * Monitor.PageSize)
    var at = 0
    for (slot <- page * Monitor.PageSize until math.min((page + 1) * Monitor.PageSize, used))
      if (phases(slot) != Free) {
        content(at) = slot.toLong << PhaseBits | phases(slot)
        content(at + 1) = keys(slot)
        content(at + 2) = bases(slot)
        if (reoccurring) {
          content(at + 3) = latest(slot)
          content(at + 4) = firsts(slot)
        }
        at += numbers
      }
    Arrays.copyOf(content, at)
  }

  /** Into one that is empty: puts the keys of pages back into their slots.
    *
    * @param until
    *   what `end` was
    */
  def restore(until: Int, page: Long => Array[Long]): Unit = {
    resize(math.max(16, Integer.highestOneBit(math.max(1, 2 * until - 1))))
    used = until
    for (p <- 0 until pages; own <- page(p.toLong).grouped(numbers)) {
      val (last, first) = if (reoccurring) (own(3), own(4)) else (own(2), own(2))
      put((own(0) >>> PhaseBits).toInt, own(1), own(2), last, first, (own(0) & (1 << PhaseBits) - 1).toByte)
    }
    for (slot <- until - 1 to 0 by -1 if phases(slot) == Free) free(slot)
  }
}

private[constraints] object KeySlots {

  /** The phase of a slot without a key. */
  val Free: Byte = 0

  /** Slots whose arrays are not made smaller. */
  private val Least = 64

  private val PhaseBits = 8
}
