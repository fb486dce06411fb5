package org.streamon.core.caching

import java.util.SplittableRandom
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.Allocated
import org.streamon.core.joins._
import org.streamon.lab.baselines.{InMemorySynopses, MJoin}

/** What rows allocate on their way through windows, caches and residual predicates. */
class AllocationSpec extends AnyFunSuite {
  private val keys = 6

  /** A chain of three, with a cache of inputs 1 and 2 that holds every key. No result passes the predicate.
    */
  private final class Running(key: Int => Any) {
    private val graph = new JoinGraph(3, JoinCases.distinctClasses(JoinCases.chain(3)), Vector(7L))
    private val orders =
      new PipelineOrders(graph, "static", Map(0 -> Array(1, 2), 1 -> Array(2, 0), 2 -> Array(1, 0)))
    private val synopses = new InMemorySynopses(graph, Vector(rows => { evaluated += rows.size; false }))
    private val random = new SplittableRandom(1)
    val caches: JoinCaches = {
      val settings = CacheSettings(forced = Seq(Bits.of(Seq(1, 2))))
      new JoinCaches(orders, settings, new CacheMemory(1 << 22), random)
    }
    private val join = new MJoin(orders, synopses, random, 0.0, () => 0L, Some(caches))
    private val none: IndexedSeq[Row] => Unit = _ => ()
    var evaluated = 0L

    private val rows = Vector.tabulate(3, keys)((i, k) => Vector.fill(3)(key(k)))
    for (i <- Seq(1, 2); row <- rows(i)) join.insert(i, row)(none)

    /** Rows that come, and leave again, of every input; what they allocate. */
    def run(count: Int): Long = Allocated.by {
      var k = 0
      while (k < count) {
        val row = rows(k % 3)(k % keys)
        join.insert(k % 3, row)(none)
        join.delete(k % 3, row)(none)
        k += 1
      }
    }
  }

  for ((shown, key) <- Seq[(String, Int => Any)](("whole numbers", k => k), ("text", k => s"key $k")))
    test(s"no row allocates that hits a cache, maintains it, or is checked by a predicate ($shown)") {
      val running = new Running(key)
      running.run(60000)
      val (hits, misses, evaluated) = (running.caches.hits, running.caches.misses, running.evaluated)
      val updates = running.caches.reports.map(_.updates).sum
      val bytes = running.run(60000)
      assert(running.caches.hits - hits == 40000 && running.caches.misses == misses)
      assert(running.evaluated - evaluated >= 60000)
      assert(running.caches.reports.map(_.updates).sum - updates >= 60000)
      assert(bytes < 120000, s"$bytes bytes for 60,000 rows that came and left")
    }
}
