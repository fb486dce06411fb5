package org.streamon.core.caching

import java.util.SplittableRandom
import java.util.concurrent.atomic.AtomicLong
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.core.joins._
import org.streamon.lab.baselines.{InMemorySynopses, MJoin}

/** What tells how often candidates would miss is in the memory that caches share, and within its bound. */
class MissEstimatorMemorySpec extends AnyFunSuite {
  private val n = 7
  private val graph = new JoinGraph(n, JoinCases.distinctClasses(JoinCases.chain(n)))

  /** A chain of seven on which caches are chosen as rows come. */
  private final class Running(memory: CacheMemory) {
    private val random = new SplittableRandom(1)
    private val ticks = new AtomicLong
    private val orders = new PipelineOrders(graph, "static")
    val caches: JoinCaches = {
      val settings =
        CacheSettings(CacheMode.Global, 400, window = 2, candidates = 48, costs = UnitCosts(0, 0, 0))
      new JoinCaches(orders, settings, memory, random)
    }
    private val join =
      new MJoin(orders, new InMemorySynopses(graph), random, 0.0, () => ticks.incrementAndGet(), Some(caches))

    def feed(rows: Int)(each: => Unit): Unit = for (_ <- 0 until rows) {
      join.insert(random.nextInt(n), Vector.fill(2)(random.nextInt(2000): Any))(_ => ())
      each
    }
  }

  for (bytes <- Seq(1L << 10, 1L << 14, 1L << 17, 1L << 20, 1L << 24))
    test(s"entries and miss estimators of one join take at most $bytes bytes, and all are counted") {
      val memory = new CacheMemory(bytes)
      val running = new Running(memory)
      running.feed(3000) {
        val taken = running.caches.bytes
        assert(
          taken <= memory.taken && memory.taken <= bytes,
          s"$taken bytes are taken, ${memory.taken} counted"
        )
      }
      running.caches.close()
      assert(memory.taken == 0L)
    }

  test("so do those of many joins") {
    val memory = new CacheMemory(1L << 22)
    val all = Seq.fill(40)(new Running(memory))
    all.foreach(_.feed(500)(()))
    val taken = all.map(_.caches.bytes).sum
    assert(taken <= memory.taken && memory.taken <= memory.bytes, taken)
  }
}
