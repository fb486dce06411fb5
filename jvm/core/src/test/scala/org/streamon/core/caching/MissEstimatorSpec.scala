package org.streamon.core.caching

import java.util.SplittableRandom
import org.scalatest.funsuite.AnyFunSuite

class MissEstimatorSpec extends AnyFunSuite {
  private val count = 40000

  /** Keys for probes: the share of misses that a cache has of them, once warm. */
  private def trueMisses(keys: Seq[Long]): Double = {
    val cache = new SubresultCache(width = 1, keyLength = 1, CacheCases.share(1L << 30))
    val none = new CacheValue(1)
    val (first, rest) = keys.map(Array(_)).splitAt(128)
    def misses(key: Array[Long]) = {
      val missed = cache.probe(key) == null
      if (missed) cache.create(key, none)
      missed
    }
    first.foreach(misses)
    rest.count(misses).toDouble / rest.size
  }

  private def observed(keys: Seq[Long], buckets: Int = MissEstimator.MostBuckets): MissEstimator = {
    val estimator = new MissEstimator(buckets)
    keys.foreach(k => estimator.observe(Array(k), 1))
    estimator
  }

  /** The thesis's estimate from one window of probes: bits set in a Bloom filter with one hash, of alpha bits
    * for each probe.
    */
  private def bloom(keys: Seq[Long], alpha: Int): Double = {
    val set = keys.map(k => Math.floorMod(SubresultCache.hash(Array(k + 1), 1), alpha * keys.size))
    set.distinct.size.toDouble / keys.size
  }

  private def uniform(keys: Int, seed: Long): Seq[Long] = {
    val random = new SplittableRandom(seed)
    Seq.fill(count)(random.nextInt(keys).toLong)
  }

  private val runs = {
    val skewed = {
      val random = new SplittableRandom(9)
      Seq.fill(count)((5000 * math.pow(random.nextDouble(), 4)).toLong)
    }
    Seq(50, 500, 3000, 8000, 20000, 100000).map(n => s"uniform over $n" -> uniform(n, n.toLong)) :+
      ("skewed" -> skewed) :+ ("never twice" -> (0L until count.toLong))
  }

  for ((buckets, error) <- Seq(4096 -> 0.04, 1024 -> 0.1, 512 -> 0.15))
    test(s"it misses as a cache does, of few keys and of many, within $error with $buckets buckets") {
      for ((shown, keys) <- runs) {
        val (estimate, truth) = (observed(keys, buckets).missProbability, trueMisses(keys))
        assert(math.abs(estimate - truth) <= error, s"$shown: $estimate for $truth")
      }
    }

  test("one that shrinks tells what one of its size tells") {
    for ((shown, keys) <- runs) {
      val (first, rest) = keys.splitAt(count / 4)
      val estimator = observed(first)
      estimator.shrink(MissEstimator.bytesOf(1024))
      assert(estimator.bytes == MissEstimator.bytesOf(1024))
      estimator.begin()
      rest.foreach(k => estimator.observe(Array(k), 1))
      val small = observed(first, buckets = 1024)
      small.begin()
      rest.foreach(k => small.observe(Array(k), 1))
      val (estimate, other) = (estimator.missProbability, small.missProbability)
      assert(math.abs(estimate - other) <= 0.05, s"$shown: $estimate for $other")
    }
  }

  test("without memory it tells nothing, and is not waited for") {
    val none = MissEstimator.none
    assert(!none.isOpen && none.isComplete && none.missProbability.isNaN && none.bytes == 0L)
  }

  test("the thesis's estimate is low, by the digest's numbers; this one is not") {
    val keys = 0L until 1000L
    assert(math.abs(bloom(keys, alpha = 1) - 0.635) <= 0.03)
    assert(math.abs(bloom(keys, alpha = 8) - 0.94) <= 0.02)
    assert(observed(keys).missProbability == 1.0)
  }

  test("it remembers beyond a window of probes, as a cache does") {
    // Each key twice, 2000 probes apart: a window of 1000 probes sees none again.
    val keys = (0L until 10L).flatMap(k => Seq.fill(2)(2000 * k until 2000 * (k + 1)).flatten)
    assert(keys.grouped(1000).forall(window => window.distinct.size == 1000))
    assert(math.abs(observed(keys).missProbability - trueMisses(keys)) <= 0.04)
    assert(observed(keys).missProbability < 0.75)
  }

  test("it says nothing before there is enough, and counts anew without forgetting what it has seen") {
    val filter = observed((0L until 150L).map(_ % 10))
    assert(filter.missProbability.isNaN)
    filter.begin()
    (0L until 100L).foreach(k => filter.observe(Array(k % 10), 1))
    assert(filter.missProbability == 0.0 && !filter.isComplete, "what there was is not thrown away")
    filter.begin()
    assert(filter.missProbability == 0.0 && !filter.isComplete, "until there is enough it says what it said")
    (0L until 640L).foreach(k => filter.observe(Array(k % 10), 1))
    assert(filter.missProbability == 0.0 && filter.isComplete)
  }
}
