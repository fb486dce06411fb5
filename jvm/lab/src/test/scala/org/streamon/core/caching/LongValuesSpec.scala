package org.streamon.core.caching

import org.scalatest.funsuite.AnyFunSuite
import org.streamon.core.joins._

/** What it takes to find a tuple in a long value, counted in comparisons. */
class LongValuesSpec extends AnyFunSuite {

  /** A join of three on one key, whose only cache has one key: inputs 1 and 2 in the pipeline of input 0. */
  private def join(mode: CacheMode): CachedJoin = {
    val pipelines =
      if (mode == CacheMode.Prefix) Seq(Seq(1, 2), Seq(2, 0), Seq(1, 0))
      else Seq(Seq(1, 2), Seq(0, 2), Seq(1, 0))
    val equalities = Seq(Equality(0, 0, 1, 0), Equality(1, 1, 2, 0))
    new CachedJoin(equalities, pipelines, mode, Seq(Set(1, 2)))
  }

  private def comparisons(caches: JoinCaches)(feed: => Unit): Long = {
    val before = caches.tuplesCompared
    feed
    caches.tuplesCompared - before
  }

  for (mode <- Seq(CacheMode.Prefix, CacheMode.Global))
    test(s"a tuple is compared with few others of its value, however many there are (${mode.name})") {
      val size = 1000
      val cached = join(mode)
      cached.insert(2, 5, 0)
      for (k <- 0 until size) cached.insert(1, 1, 5, k)
      assert(cached.insert(0, 1).size == size, "which makes the entry")
      val compared = comparisons(cached.caches) {
        for (k <- 0 until size) {
          cached.insert(1, 1, 5, size + k)
          cached.delete(1, 1, 5, k)
        }
      }
      assert(cached.insert(0, 1).size == size && cached.report.hits == 1)
      assert(compared <= 4 * size, s"$compared comparisons for $size tuples that came, and as many that left")
    }
}
