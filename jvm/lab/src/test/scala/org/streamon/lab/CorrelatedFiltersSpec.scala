package org.streamon.lab

import org.streamon.lab.baselines.Optimum
import java.util.SplittableRandom
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.core.filters.Precedence

class CorrelatedFiltersSpec extends AnyFunSuite {

  private def drops(vector: Long, q: Int): Boolean = (vector >>> q & 1L) != 0L

  /** Weight of the exact law where `event` holds. */
  private def weight(filters: CorrelatedFilters)(event: Long => Boolean): Double =
    filters.law.vectors.indices
      .filter(k => event(filters.law.vectors(k)))
      .map(k => filters.law.weights(k))
      .sum

  for (s <- Seq(0.2, 0.5, 0.8); gamma <- Seq(1, 2, 3))
    test(s"selectivity $s, correlation factor $gamma: the law is as the thesis says") {
      val filters = CorrelatedFilters.uniform(6, gamma, s)
      assert(math.abs(weight(filters)(_ => true) - 1) < 1e-12)
      for (q <- 0 until 6) assert(math.abs(weight(filters)(!drops(_, q)) - s) < 1e-12)
      for (a <- 0 until 6; b <- 0 until a) {
        val agree = weight(filters)(v => drops(v, a) == drops(v, b))
        val expected =
          if (filters.group(a) == filters.group(b)) CorrelatedFilters.Agreement
          else s * s + (1 - s) * (1 - s)
        assert(math.abs(agree - expected) < 1e-12)
      }
    }

  test("the hidden bit is copied with q^2 = 0.6 at selectivity 0.5, and not at all at the ends") {
    assert(math.abs(math.pow(CorrelatedFilters.copying(0.5), 2) - 0.6) < 1e-12)
    assert(CorrelatedFilters.copying(0.1) == 0.0 && CorrelatedFilters.copying(0.9) == 0.0)
    assert(CorrelatedFilters.copying(0.12) > 0.0 && CorrelatedFilters.copying(0.88) > 0.0)
  }

  test("interleaved groups cost 1.95 evaluations a tuple, grouped ones 2.1 (n = 4, s = 0.5)") {
    val filters = CorrelatedFilters.uniform(4, 2, 0.5)
    assert(math.abs(filters.law.costOf(Array(0, 2, 1, 3)) - 1.95) < 1e-12)
    assert(math.abs(filters.law.costOf(Array(0, 1, 2, 3)) - 2.1) < 1e-12)
    assert(math.abs(filters.law.costOf(Optimum.order(filters.law, new Precedence(4))) - 1.95) < 1e-12)
  }

  test("drawn tuples follow the law, and probes of the index say what was drawn") {
    val random = new SplittableRandom(17)
    val filters = CorrelatedFilters.grouped(5, 2, Array(0.3, 0.5, 0.7), Array(1, 1, 1, 1, 3)).permuted(random)
    val pool = StreamTuple.pool(filters, 200000, random)
    for (k <- filters.law.vectors.indices) {
      val expected = filters.law.weights(k)
      val found = pool.count(_.drops == filters.law.vectors(k)).toDouble / pool.length
      assert(math.abs(found - expected) < 5 * math.sqrt(expected / pool.length) + 1e-6)
    }
    val work = new Work
    for (q <- 0 until 5) {
      val probe = new HashProbe(q, filters.cost(q), new HashIndex(random), work)
      pool.take(20000).foreach(t => assert(probe.test(t) == !drops(t.drops, q)))
    }
    assert(work.probes == 20000L * (1 + 1 + 1 + 1 + 3))
  }

  test("a permutation hands out the same slots") {
    val filters = CorrelatedFilters.grouped(8, 2, Array(0.2, 0.4, 0.6, 0.8), Array.fill(8)(1))
    val other = filters.permuted(new SplittableRandom(3))
    assert(other.group.sorted.sameElements(filters.group))
    assert(!other.group.sameElements(filters.group))
  }
}
