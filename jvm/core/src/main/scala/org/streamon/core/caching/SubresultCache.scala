package org.streamon.core.caching

import org.streamon.core.joins.Mixer

/** A cache of a subresult (thesis, Section 5.4): for some keys all tuples of the join of some windows that
  * have the key, an empty value included. Never complete, always correct: a key that is present has all its
  * tuples. It is direct-mapped, so that an entry takes the place of any other in its bucket, and its table
  * grows with its entries. To drop an entry, or all, is always allowed.
  *
  * @param width
  *   how many windows the subresult joins
  * @param keyLength
  *   numbers in a key
  * @param memory
  *   what it may take
  * @param work
  *   counts what is done in values
  */
private[core] final class SubresultCache(
    width: Int,
    keyLength: Int,
    memory: CacheMemory#Share,
    work: CacheWork = new CacheWork
) {
  import SubresultCache._

  private var keys = Array.empty[Long]
  private var values = Array.empty[CacheValue]
  private var valueBytes = 0L
  private var present = 0
  private var hand = 0

  var hits: Long = 0L
  var misses: Long = 0L

  def entries: Int = present

  /** With the table. */
  def bytes: Long = valueBytes + tableBytes(values.length)

  /** The tuples with a key; null on a miss. */
  def probe(key: Array[Long]): CacheValue = {
    val rows = get(key)
    if (rows == null) misses += 1 else hits += 1
    rows
  }

  /** The same, not counted as a probe. */
  def get(key: Array[Long]): CacheValue = if (values.length == 0) null
  else {
    val bucket = bucketOf(key)
    if (holds(bucket, key)) values(bucket) else null
  }

  /** Adds an entry, or puts it in the place of others, if there is memory for it.
    *
    * @param rows
    *   all tuples with the key; copied
    */
  def create(key: Array[Long], rows: CacheValue): Unit = {
    growTable()
    if (values.length > 0) {
      val value = rows.compact
      val needed = tableBytes(values.length) + value.bytes
      // One that has no place even alone does not drive out the others.
      if (needed <= memory.allowed || memory.grow(needed)) {
        drop(bucketOf(key))
        if (makeRoom(value.bytes)) put(key, value)
      }
    }
  }

  /** Adds a tuple to a value that is present. Where there is no memory for it the entry goes. */
  def add(key: Array[Long], tuple: Array[Long]): Unit = add(key, get(key), tuple)

  /** The same for a tuple that may be there already. */
  def addNew(key: Array[Long], tuple: Array[Long]): Unit = {
    val rows = get(key)
    if (isSearchable(key, rows) && rows.indexOf(tuple, work) < 0) add(key, rows, tuple)
  }

  /** Takes a tuple out of a value that is present, if it is there. */
  def remove(key: Array[Long], tuple: Array[Long]): Unit = {
    val rows = get(key)
    if (isSearchable(key, rows)) {
      val at = rows.indexOf(tuple, work)
      if (at >= 0) rows.remove(at)
    }
  }

  private def add(key: Array[Long], rows: CacheValue, tuple: Array[Long]): Unit = {
    val before = rows.bytes
    rows.add(tuple)
    charge(key, rows.bytes - before)
    ()
  }

  /** Gives a value that is long an index. False where there is no memory for that: then the entry goes. */
  private def isSearchable(key: Array[Long], rows: CacheValue): Boolean =
    !rows.lacksIndex || {
      val before = rows.bytes
      rows.makeIndex()
      charge(key, rows.bytes - before)
    }

  /** What the value of a key takes more; the entry goes, and it is false, where there is no memory for it. */
  private def charge(key: Array[Long], more: Long): Boolean = {
    valueBytes += more
    val fits = bytes <= memory.allowed || memory.grow(bytes)
    if (!fits) drop(bucketOf(key))
    fits
  }

  /** Drops the entry of a key, if there is one. */
  def drop(key: Array[Long]): Unit = if (get(key) != null) drop(bucketOf(key))

  def dropAll(): Unit = {
    keys = Array.empty
    values = Array.empty
    present = 0
    valueBytes = 0L
    hand = 0
  }

  /** Drops entries until no more than so many bytes are taken, and first makes the table smaller, where that
    * alone takes most of them.
    */
  def shrink(allowed: Long): Unit = {
    while (bytes > allowed && 2 * tableBytes(values.length) > allowed && values.length > LeastBuckets)
      resize(values.length / 2)
    if (tableBytes(values.length) > allowed) dropAll()
    while (bytes > allowed) dropNext()
  }

  /** Every entry: walks over all buckets. */
  def foreach(f: (Array[Long], CacheValue) => Unit): Unit =
    for (b <- values.indices if values(b) != null) f(keyAt(b), values(b))

  private def keyAt(bucket: Int) = keys.slice(bucket * keyLength, (bucket + 1) * keyLength)

  private def tableBytes(buckets: Int) = 8L * buckets * (keyLength + 1)

  /** A table that is a quarter full is doubled, if there is memory for both: keys that fall into one bucket
    * would drive out one another for ever.
    */
  private def growTable(): Unit = {
    val buckets = math.max(LeastBuckets, 2 * values.length)
    val needed = bytes + tableBytes(buckets)
    if (4 * present >= values.length && buckets <= MostBuckets)
      if (needed <= memory.allowed || memory.grow(needed)) resize(buckets)
  }

  private def resize(buckets: Int): Unit = {
    val (oldKeys, old) = (keys, values)
    keys = new Array[Long](buckets * keyLength)
    values = new Array[CacheValue](buckets)
    valueBytes = 0L
    present = 0
    hand = 0
    for (b <- old.indices if old(b) != null) {
      val key = oldKeys.slice(b * keyLength, (b + 1) * keyLength)
      drop(bucketOf(key))
      put(key, old(b))
    }
  }

  /** From more memory, else from other entries. */
  private def makeRoom(more: Long): Boolean = {
    if (bytes + more > memory.allowed && !memory.grow(bytes + more))
      while (bytes + more > memory.allowed && present > 0) dropNext()
    bytes + more <= memory.allowed
  }

  private def put(key: Array[Long], value: CacheValue): Unit = {
    val bucket = bucketOf(key)
    System.arraycopy(key, 0, keys, bucket * keyLength, keyLength)
    values(bucket) = value
    valueBytes += value.bytes
    present += 1
  }

  private def dropNext(): Unit = {
    hand = (hand + 1) & (values.length - 1)
    drop(hand)
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

  private def bucketOf(key: Array[Long]): Int = bucket(hash(key, keyLength), values.length)
}

private[core] object SubresultCache {

  /** Powers of two. */
  private val LeastBuckets = 16
  val MostBuckets: Int = 1 << 20

  /** By the highest bits of the hash, which those of successive keys share least.
    *
    * @param buckets
    *   a power of two, 2 or more
    */
  def bucket(hash: Long, buckets: Int): Int =
    (hash >>> java.lang.Long.numberOfLeadingZeros(buckets - 1L)).toInt

  /** Of the first numbers of a key. */
  def hash(key: Array[Long], length: Int): Long = hash(key, 0, length)

  /** Fibonacci hashing, under which successive keys fall into different buckets, as they do not at random: a
    * table for few keys has hardly a collision. Bits that choose a bucket and the others say different
    * things.
    */
  def hash(values: Array[Long], from: Int, length: Int): Long = {
    var h = 0L
    var k = 0
    while (k < length) {
      h = Mixer.fibonacci(h ^ values(from + k))
      k += 1
    }
    h
  }
}
