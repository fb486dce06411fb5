package org.streamon.core.caching

import java.util.SplittableRandom
import java.util.concurrent.TimeUnit
import org.openjdk.jmh.annotations._

/** What steps of a cache cost. Keys are of one number, tuples of two references. */
@State(Scope.Thread)
@BenchmarkMode(Array(Mode.AverageTime))
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = Array("-XX:+UseSerialGC"))
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 5, time = 1)
class CachePrices {

  /** Entries. */
  @Param(Array("200", "100000"))
  var keys: Int = 0

  /** Tuples of an entry. */
  @Param(Array("0", "1", "8"))
  var tuples: Int = 0

  private val key = new Array[Long](1)
  private val tuple = Array(-1L, -1L)
  private var drawn: Array[Long] = _
  private var cache: SubresultCache = _
  private var value: CacheValue = _
  private var at = 0

  @Setup
  def fill(): Unit = {
    val random = new SplittableRandom(1)
    drawn = Array.fill(1 << 16)(random.nextInt(keys).toLong)
    val memory = new CacheMemory(1L << 30)
    cache = new SubresultCache(width = 2, keyLength = 1, new memory.Share(() => ()))
    value = new CacheValue(2)
    (0 until tuples).foreach(t => value.add(Array(t.toLong, t.toLong)))
    (0 until keys).foreach(k => cache.create(Array(k.toLong), value))
  }

  private def next(): Array[Long] = {
    at = (at + 1) & (drawn.length - 1)
    key(0) = drawn(at)
    key
  }

  /** A look-up, and the tuples read. */
  @Benchmark
  def probe(): Long = {
    val rows = cache.probe(next())
    var sum = 0L
    if (rows != null) {
      var t = 0
      while (t < rows.size) {
        sum += rows(t, 0) + rows(t, 1)
        t += 1
      }
    }
    sum
  }

  /** A tuple that is offered for a key without an entry. */
  @Benchmark
  def offer(): CacheValue = {
    next()
    key(0) += keys
    cache.get(key)
  }

  /** A tuple that goes into a value and out of it, compared with those that are there each time. */
  @Benchmark
  def update(): Unit =
    if (cache.get(next()) != null) {
      cache.addNew(key, tuple)
      cache.remove(key, tuple)
    }

  /** A value is made in the place of another. */
  @Benchmark
  def create(): Unit = cache.create(next(), value)
}
