package org.streamon.core.caching

import org.streamon.lab.baselines.{InMemorySynopses, MJoin}
import java.util.SplittableRandom
import java.util.concurrent.atomic.AtomicLong
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.core.joins._

/** Values that are too large to be kept. */
class LargeValuesSpec extends AnyFunSuite {
  private val graph = new JoinGraph(3, JoinCases.distinctClasses(JoinCases.chain(3)))

  /** The caches of a chain of three in which each key of the ends comes to hundreds of tuples. */
  private def run(largest: Int): JoinCaches = {
    val random = new SplittableRandom(1)
    val ticks = new AtomicLong
    val orders = new PipelineOrders(graph, "static")
    val settings =
      CacheSettings(CacheMode.Prefix, 100, window = 2, costs = UnitCosts(0, 0, 0), largest = largest)
    val caches = new JoinCaches(orders, settings, new CacheMemory(1 << 20), random, batches = true)
    val join =
      new MJoin(orders, new InMemorySynopses(graph), random, 0.3, () => ticks.incrementAndGet(), Some(caches))
    for (_ <- 0 until 6) {
      for (input <- 0 until graph.n; _ <- 0 until 300)
        join.insert(input, Vector.fill(3)(random.nextInt(30): Any))(_ => ())
      caches.review()
    }
    caches
  }

  test("a cache of them is givenUp up within a batch, and not chosen again under the same orders") {
    val caches = run(largest = 4)
    val decisions = caches.takeDecisions()
    val chosen = decisions.flatMap(d => d.newPlan -- d.oldPlan)
    val givenUp = decisions.flatMap(d => d.oldPlan -- d.newPlan)
    assert(chosen.nonEmpty && chosen.distinct == chosen)
    assert(givenUp.toSet == chosen.toSet && caches.inUse.isEmpty)
    assert(caches.misses < 32 * chosen.size, caches.misses)
  }

  test("the same caches are kept where their values may be as large") {
    val caches = run(largest = 1 << 16)
    assert(caches.inUse.nonEmpty && caches.hits > 100)
  }

  test("a globally-consistent value that has grown past what is walked is dropped") {
    val equalities = Seq(Equality(0, 0, 1, 0), Equality(1, 1, 2, 0))
    val pipelines = Seq(Seq(1, 2), Seq(0, 2), Seq(1, 0))
    val join = new CachedJoin(equalities, pipelines, CacheMode.Global, Seq(Set(1, 2)), largest = 3)
    join.insert(2, 2)
    join.insert(1, 1, 2)
    join.insert(0, 1)
    for (size <- 2 to 3) {
      join.insert(1, 1, 2)
      assert(join.entries(Seq(1L)).size == size)
    }
    assert(join.insert(1, 1, 2).size == 1 && join.entries.isEmpty)
    assert(join.insert(0, 1).size == 4 && join.entries.isEmpty)
  }
}
