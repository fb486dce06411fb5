package org.streamon.core.joins

/** A hash index on slots: those of one bucket are chained, newest first. Adding and removing takes constant
  * time whatever the chain.
  */
private[streamon] final class HashChains {
  import HashChains.End

  private var buckets = Array.fill(16)(End)
  private var following = Array.fill(16)(End)
  private var preceding = Array.fill(16)(End)
  private var hashes = new Array[Int](16)
  private var size = 0

  /** Of the buckets, and of what each slot in use has here. */
  def bytes: Long = 4L * buckets.length + 12L * size

  /** Of the arrays. */
  def memoryBytes: Long = 4L * buckets.length + 12L * following.length

  /** The first slot with this hash; `End` when there is none. */
  def first(hash: Int): Int = skip(buckets(bucket(hash)), hash)

  /** The slot after this one with the same hash; `End` when there is none. */
  def next(slot: Int): Int = skip(following(slot), hashes(slot))

  def add(slot: Int, hash: Int): Unit = {
    if (slot >= following.length) growSlots(slot)
    if (size >= buckets.length) rehash()
    hashes(slot) = hash
    link(slot)
    size += 1
  }

  def remove(slot: Int): Unit = {
    val before = preceding(slot)
    val after = following(slot)
    if (before == End) buckets(bucket(hashes(slot))) = after else following(before) = after
    if (after != End) preceding(after) = before
    size -= 1
  }

  private def bucket(hash: Int): Int = Mixer.fibonacci(hash).toInt & buckets.length - 1

  private def skip(start: Int, hash: Int): Int = {
    var slot = start
    while (slot != End && hashes(slot) != hash) slot = following(slot)
    slot
  }

  private def link(slot: Int): Unit = {
    val b = bucket(hashes(slot))
    val head = buckets(b)
    following(slot) = head
    preceding(slot) = End
    if (head != End) preceding(head) = slot
    buckets(b) = slot
  }

  private def growSlots(slot: Int): Unit = {
    val length = math.max(slot + 1, 2 * following.length)
    following = java.util.Arrays.copyOf(following, length)
    preceding = java.util.Arrays.copyOf(preceding, length)
    hashes = java.util.Arrays.copyOf(hashes, length)
  }

  private def rehash(): Unit = {
    val old = buckets
    buckets = Array.fill(2 * old.length)(End)
    // From the oldest of each chain on, as they came.
    old.foreach { head =>
      var slot = if (head == End) End else oldest(head)
      while (slot != End) {
        val newer = preceding(slot)
        link(slot)
        slot = newer
      }
    }
  }

  private def oldest(head: Int): Int = {
    var slot = head
    while (following(slot) != End) slot = following(slot)
    slot
  }
}

private[streamon] object HashChains {

  /** Of a value of 64 bits. */
  def hash(value: Long): Int = (value ^ value >>> 32).toInt
  val End: Int = -1
}
