package org.streamon.core.caching

import org.scalatest.funsuite.AnyFunSuite

class SubresultCacheSpec extends AnyFunSuite {
  private val tuple = Array(7L, 8L)

  private def cache(bytes: Long = 1 << 20): SubresultCache =
    new SubresultCache(width = 2, keyLength = 1, CacheCases.share(bytes))

  private def rows(tuples: Array[Long]*): CacheValue = {
    val all = new CacheValue(2)
    tuples.foreach(all.add)
    all
  }

  private def tuples(found: CacheValue): Set[Seq[Long]] =
    (0 until found.size).map(t => Seq(found(t, 0), found(t, 1))).toSet

  private def bucket(key: Long, buckets: Int) =
    SubresultCache.bucket(SubresultCache.hash(Array(key), 1), buckets)

  /** Another key of the same bucket. */
  private def colliding(key: Long, buckets: Int): Long =
    Iterator
      .iterate(key + 1)(_ + 1)
      .find(bucket(_, buckets) == bucket(key, buckets))
      .get

  test("a key that was created is hit, with all its tuples; others miss") {
    val c = cache()
    assert(c.probe(Array(1L)) == null)
    c.create(Array(1L), rows(tuple, Array(9L, 9L)))
    assert(tuples(c.probe(Array(1L))) == Set(Seq(7L, 8L), Seq(9L, 9L)))
    assert(c.probe(Array(2L)) == null && (c.hits, c.misses) == ((1, 2)) && c.entries == 1)
  }

  test("an empty value is an entry") {
    val c = cache()
    c.create(Array(1L), rows())
    assert(c.probe(Array(1L)).size == 0 && c.hits == 1)
    c.add(Array(1L), tuple)
    assert(tuples(c.probe(Array(1L))) == Set(Seq(7L, 8L)))
  }

  test("it is direct-mapped: a key takes the place of another in its bucket, which then misses") {
    val c = cache()
    val other = colliding(1L, 16)
    c.create(Array(1L), rows(tuple))
    c.create(Array(other), rows())
    assert(c.entries == 1 && c.probe(Array(1L)) == null && c.probe(Array(other)).size == 0)
    c.drop(Array(1L))
    assert(c.probe(Array(other)).size == 0, "what is meant for the key that is gone leaves the other alone")
  }

  test("successive keys, a quarter of the buckets or less, do not drive out one another") {
    for (buckets <- Seq(16, 64, 1 << 12); from <- Seq(0L, 25000L, -7L, 1L << 40)) {
      val keys = (from until from + buckets / 4).map(bucket(_, buckets))
      assert(keys.distinct == keys, s"$buckets buckets from $from")
    }
  }

  test("to drop a key, or all, leaves the rest right") {
    val c = cache()
    (0L until 20L).foreach(k => c.create(Array(k), rows(Array(k, k))))
    val before = c.entries
    c.drop(Array(19L))
    assert(c.entries == before - 1)
    c.foreach((key, value) => assert(tuples(value) == Set(Seq(key(0), key(0)))))
    c.dropAll()
    assert(c.entries == 0 && c.bytes == 0)
  }

  test("it takes no more than it is allowed: others make room for a new entry, one that outgrows it goes") {
    val c = cache(bytes = 4096)
    (0L until 200L).foreach(k => c.create(Array(k), rows(tuple)))
    assert(c.entries > 10 && c.bytes <= 4096 && c.probe(Array(199L)) != null)
    (0L until 200L).foreach(n => if (c.get(Array(199L)) != null) c.add(Array(199L), Array(n, n)))
    assert(c.probe(Array(199L)) == null && c.bytes <= 4096)
    c.create(Array(1L), rows((0L until 300L).map(n => Array(n, n)): _*))
    assert(c.probe(Array(1L)) == null, "too large for all there is")
    c.create(Array(2L), rows(tuple))
    assert(c.probe(Array(2L)) != null)
  }

  test("its table grows with its entries, and they stay") {
    val c = cache(bytes = 1 << 20)
    (0L until 1000L).foreach(k => c.create(Array(k), rows(Array(k, k))))
    assert(c.entries > 600)
    c.foreach((key, value) => assert(tuples(value) == Set(Seq(key(0), key(0)))))
  }

  test("it shrinks to what is left to it, entry by entry") {
    val c = cache()
    (0L until 64L).foreach(k => c.create(Array(k), rows(tuple)))
    val (before, entries) = (c.bytes, c.entries)
    c.shrink(before - 200)
    assert(c.bytes <= before - 200 && c.entries < entries && c.entries > entries - 10)
    c.shrink(0L)
    assert(c.bytes == 0 && c.entries == 0)
  }

  test("half of what it has keeps some of the entries, though its table takes most of it") {
    val c = cache()
    (0L until 1000L).foreach(k => c.create(Array(k), rows()))
    c.shrink(c.bytes / 2)
    assert(c.entries > 200)
    c.foreach((key, _) => assert(c.get(key).size == 0))
    c.shrink(c.bytes / 20)
    assert(c.entries > 10)
  }

  test("keys of several numbers are told apart") {
    val c = new SubresultCache(2, 2, CacheCases.share(1 << 20))
    c.create(Array(1L, 2L), rows(tuple))
    assert(c.probe(Array(2L, 1L)) == null && c.probe(Array(1L, 3L)) == null && c.probe(Array(1L, 2L)) != null)
  }
}
