package org.streamon.core.caching

import org.scalatest.funsuite.AnyFunSuite

class MissRatioSpec extends AnyFunSuite {

  /** A cache of one key. */
  private final class Probed {
    private val observed = new MissRatio
    private val cache = new SubresultCache(width = 1, keyLength = 1, CacheCases.share(1 << 20))
    cache.create(Array(1L), new CacheValue(1))

    /** What is told after some probes, of which some miss. */
    def miss(misses: Int, probes: Int = 100): Option[Double] = {
      (1 to probes).foreach(k => cache.probe(Array(if (k <= misses) 2L else 1L)))
      observed.miss(cache)
    }
  }

  test("nothing is told while a cache fills: as long as it misses less each time") {
    val cache = new Probed
    assert(Seq(90, 60, 30, 10).map(cache.miss(_)).forall(_.isEmpty))
    assert(Seq(10, 30, 20).map(cache.miss(_)) == Seq(Some(0.1), Some(0.3), Some(0.2)))
  }

  test("a cache that always misses is seen the second time") {
    val cache = new Probed
    assert(Seq(100, 100).map(cache.miss(_)) == Seq(None, Some(1.0)))
  }

  test("with fewer than a hundred probes what was told before holds") {
    val cache = new Probed
    assert(Seq(50, 50).map(cache.miss(_)) == Seq(None, Some(0.5)))
    assert(cache.miss(misses = 99, probes = 99).contains(0.5))
    assert(cache.miss(misses = 1, probes = 1).contains(1.0))
  }
}
