package org.streamon.core.caching

import java.util.Arrays

/** A cache of a subresult (thesis, Section 5.4): for some keys all tuples of the join of some windows that
  * have the key, an empty value included. Never complete, always correct: a key that is present has all its
  * tuples. It is direct-mapped, so that an entry takes the place of any other in its bucket; to drop an
  * entry, or all, is always allowed.
  *
  * @param width
  *   how many windows the subresult joins
  * @param keyLength
  *   numbers in a key
  * @param buckets
  *   a power of two
  * @param memory
  *   what it may take
  */
private[core] final class SubresultCache(
    width: Int,
    keyLength: Int,
    buckets: Int,
    memory: CacheMemory#Share
) {
  require(Integer.bitCount(buckets) == 1, s"$buckets buckets: expected a power of two")

  private val keys = new Array[Long](buckets * keyLength)
  private val values = new Array[CachedRows](buckets)
  private var valueBytes = 0L
  private var present = 0
  private var hand = 0

  var hits: Long = 0L
  var misses: Long = 0L

  def entries: Int = present

  /** With the table, which is there as soon as there is an entry. */
  def bytes: Long = if (present == 0) 0L else valueBytes + tableBytes

  private def tableBytes = 8L * buckets * (keyLength + 1)

  /** The tuples with a key; null on a miss. */
  def probe(key: Array[Long]): CachedRows = {
    val bucket = bucketOf(key)
    if (holds(bucket, key)) {
      hits += 1
      values(bucket)
    } else {
      misses += 1
      null
    }
  }

  /** Adds an entry, or puts it in the place of another, if there is memory for it.
    *
    * @param rows
    *   all tuples with the key; the cache takes the object over
    * @return
    *   whether it did
    */
  def create(key: Array[Long], rows: CachedRows): Boolean = {
    val bucket = bucketOf(key)
    drop(bucket)
    val fits = makeRoom(rows.bytes)
    if (fits) {
      System.arraycopy(key, 0, keys, bucket * keyLength, keyLength)
      values(bucket) = rows
      valueBytes += rows.bytes
      present += 1
    }
    fits
  }

  /** Adds a tuple to the entry of its key; nothing when there is none.
    *
    * @param once
    *   whether it may be there already, and then is not added again
    */
  def insert(key: Array[Long], tuple: Array[Long], once: Boolean): Unit = {
    val bucket = bucketOf(key)
    if (holds(bucket, key)) {
      val rows = values(bucket)
      if (!once || rows.indexOf(tuple) < 0) {
        val before = rows.bytes
        rows.add(tuple)
        valueBytes += rows.bytes - before
        if (bytes > memory.allowed && !memory.grow(bytes)) drop(bucket)
      }
    }
  }

  /** Takes a tuple out of the entry of its key, if it is there. */
  def delete(key: Array[Long], tuple: Array[Long]): Unit = {
    val bucket = bucketOf(key)
    if (holds(bucket, key)) {
      val at = values(bucket).indexOf(tuple)
      if (at >= 0) values(bucket).remove(at)
    }
  }

  /** Drops the entry of a key, if there is one. */
  def drop(key: Array[Long]): Unit = {
    val bucket = bucketOf(key)
    if (holds(bucket, key)) drop(bucket)
  }

  def dropAll(): Unit = {
    Arrays.fill(values.asInstanceOf[Array[AnyRef]], null)
    present = 0
    valueBytes = 0L
  }

  /** Drops entries until no more than so many bytes are taken. */
  def shrink(allowed: Long): Unit = while (bytes > allowed) {
    drop(hand)
    hand = (hand + 1) & (buckets - 1)
  }

  /** Every entry. For tests: it walks over all buckets. */
  def foreach(f: (Array[Long], CachedRows) => Unit): Unit =
    for (b <- 0 until buckets if values(b) != null)
      f(Arrays.copyOfRange(keys, b * keyLength, (b + 1) * keyLength), values(b))

  private def makeRoom(more: Long): Boolean = {
    val needed = valueBytes + tableBytes + more
    needed <= memory.allowed || memory.grow(needed)
  }

  private def drop(bucket: Int): Unit = if (values(bucket) != null) {
    valueBytes -= values(bucket).bytes
    values(bucket) = null
    present -= 1
  }

  private def holds(bucket: Int, key: Array[Long]): Boolean = values(bucket) != null && {
    var k = 0
    while (k < keyLength && keys(bucket * keyLength + k) == key(k)) k += 1
    k == keyLength
  }

  private def bucketOf(key: Array[Long]): Int = (SubresultCache.hash(key, keyLength) & (buckets - 1)).toInt
}

private[core] object SubresultCache {

  /** Of the first numbers of a key. */
  def hash(key: Array[Long], length: Int): Long = {
    var h = 0L
    var k = 0
    while (k < length) {
      h = (h ^ key(k)) * 0x9e3779b97f4a7c15L
      h ^= h >>> 32
      k += 1
    }
    h
  }
}
