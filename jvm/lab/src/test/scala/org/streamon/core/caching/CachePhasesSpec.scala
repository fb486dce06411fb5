package org.streamon.core.caching

import org.streamon.lab.baselines.{InMemorySynopses, MJoin}
import java.util.SplittableRandom
import java.util.concurrent.atomic.AtomicLong
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.core.joins._

/** When statistics are gathered where elements come in batches, input by input. */
class CachePhasesSpec extends AnyFunSuite {
  private val graph = new JoinGraph(4, JoinCases.distinctClasses(JoinCases.chain(4)))

  /** Over windows without rows that leave.
    *
    * @param window
    *   of the statistics that orders are chosen by
    */
  private final class Batches(interval: Int, algorithm: String, window: Int) {
    private val random = new SplittableRandom(1)
    private val ticks = new AtomicLong
    private val orders = new PipelineOrders(graph, algorithm, window = window, thrashAvoidance = 1.0)
    val caches = new JoinCaches(
      orders,
      CacheSettings(CacheMode.Prefix, interval, window = 2, costs = UnitCosts(0, 0, 0)),
      new CacheMemory(1 << 20),
      random,
      batches = true
    )
    private val join =
      new MJoin(orders, new InMemorySynopses(graph), random, 0.3, () => ticks.incrementAndGet(), Some(caches))

    def reorders: Long = (0 until graph.n).map(join.executor(_).reorders).sum

    /** As many rows of each input, with keys from some on.
      *
      * @param each
      *   is called after each row
      */
    def batchOf(rows: Int => Int, keys: Int, from: Int => Int = _ => 0)(each: Int => Unit = _ => ()): Unit = {
      for (input <- 0 until graph.n; _ <- 0 until rows(input)) {
        join.insert(input, Vector.fill(3)(from(input) + random.nextInt(keys): Any))(_ => ())
        each(input)
      }
      caches.review()
    }

    /** By input, the phases that were begun, and those that were over, when the last of its rows had come. */
    def phases(rows: Int => Int, keys: Int, from: Int => Int = _ => 0): (Seq[Int], Seq[Int]) = {
      val begun, ended = Array.fill(graph.n)(0)
      var was = caches.isProfiling
      batchOf(rows, keys, from) { input =>
        if (!was && caches.isProfiling) begun(input) += 1
        if (was && !caches.isProfiling) ended(input) += 1
        was = caches.isProfiling
      }
      (begun.toSeq, ended.toSeq)
    }
  }

  test("in a part of the batches only, however large they are") {
    val batches = new Batches(interval = 100, "static", window = 20)
    val profiled = (0 until 20).count { _ =>
      val was = batches.caches.isProfiling
      batches.batchOf(_ => 200, keys = 20000)()
      was
    }
    assert(profiled >= 2 && profiled <= 7, profiled)
  }

  test("from the beginning of a batch, though orders change within") {
    val batches = new Batches(interval = 100, "a-greedy", window = 20)
    val begun = (0 until 30).map { b =>
      batches.phases(_ => 60, keys = 40, from = input => if (input == b / 10) 30 else 0)._1.sum
    }
    assert(batches.reorders > 3, batches.reorders)
    assert(begun.sum == 0)
  }

  test("within a batch that brings far more of an input, or less: of that input, for the rest of the batch") {
    val batches = new Batches(interval = 200, "static", window = 20)
    def phasesIn(rows: Int => Int): Seq[Int] = batches.phases(rows, keys = 2000)._2

    /** Until no batch is gathered from as a whole. */
    def settle(rows: Int => Int): Unit = {
      phasesIn(rows)
      for (_ <- 0 until 8) assert(phasesIn(rows) == Seq(0, 0, 0, 0))
      while (batches.caches.isProfiling) phasesIn(rows)
    }
    val calm = (_: Int) => 60
    val burst = (input: Int) => if (input == 1) 1200 else 60
    settle(calm)
    val more = phasesIn(burst)
    // At 2, 4, 8 and 16 times.
    assert(more(0) == 0 && more(1) >= 1 && more.sum <= 4, more)
    settle(burst)
    val less = phasesIn(calm)
    assert(less(1) == 0 && less(2) + less(3) == 1, less)
    // All inputs together may bring up to twice as much, or half, by turns.
    settle(calm)
    for (times <- Seq(1, 2, 1, 1, 2, 1)) assert(phasesIn(_ => 60 * times) == Seq(0, 0, 0, 0), times)
  }

  test("not within small batches, whatever they bring") {
    val batches = new Batches(interval = 1000, "static", window = 20)
    val begun = (0 until 40).map { b =>
      batches.phases(input => if (input == b / 5 % 4) 100 else 5, keys = 40)._1.sum
    }
    assert(begun.sum == 0)
  }

  test("after a reorder at once; after a shift of rates still in a part of what comes") {
    val phases = new CachePhases(interval = 100)
    phases.begin()
    phases.end(elements = 1000, changed = true)
    assert(phases.isTimeToCheck(1010) && !phases.isTime(2000) && phases.isTime(3000))
    phases.changed(due = true)
    assert(!phases.isTimeToCheck(1010) && !phases.isTime(2000) && phases.isTime(3000))
    phases.reordered()
    assert(!phases.isTimeToCheck(1010) && phases.isTime(1001))
    phases.begin()
    phases.end(elements = 10, changed = false)
    assert(!phases.isTime(199) && phases.isTime(200), "patience")
  }

  test("a cache that is new has the priority of one that has filled") {
    val batches = new Batches(interval = 1000, "static", window = 20)
    (0 until 4).foreach(_ => batches.batchOf(_ => 1000, keys = 1000)())
    val used = batches.caches.inUse
    assert(used.nonEmpty)
    for {
      report <- batches.caches.reports
      (candidate, content) <- used if report.places.contains(candidate.toString)
    } assert(content.memory.priority <= (report.benefit - report.cost) / (500 * 100))
  }
}
