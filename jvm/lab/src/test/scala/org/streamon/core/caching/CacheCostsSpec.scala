package org.streamon.core.caching

import org.streamon.lab.baselines.InMemorySynopses
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.core.joins._

/** The cost model on the digest's fixture: d = (100, 200), c = (2, 3), 150 tuples out, maintained by 20 and
  * 40, a miss in 0.3 of the probes.
  */
class CacheCostsSpec extends AnyFunSuite {
  private val unit = UnitCosts(probe = 0.5, tuple = 0.0, update = 0.4)
  private val graph = new JoinGraph(4, JoinCases.oneKey(4))

  /** By position, of a row of an input: the window, the nanoseconds in it, the matches. */
  private type Positions = Seq[(Int, Double, Long)]

  private def statistics(positions: (Int, Double, Long)*): PipelineStatistics =
    observed(graph, positions, positions)()

  /** @param held
    *   of a hundred evaluations of each residual predicate
    */
  private def observed(graph: JoinGraph, executed: Positions, inTurn: Positions)(held: Long*) = {
    val statistics = new PipelineStatistics(3, residuals = held.size, window = 1)
    val order = executed.map(_._1).toArray
    def meter(positions: Positions) = {
      val rows = new InMemorySynopses(graph, held.toVector.map(_ => (_: IndexedSeq[Row]) => true))
      val meter = new MeteredSynopses(graph, order, rows, () => 0L, 0.0)
      for ((window, nanos, matches) <- positions) {
        meter.nanos(window) = nanos
        meter.matches(window) = matches
      }
      for ((passed, k) <- held.zipWithIndex) {
        meter.evaluations(k) = 100L
        meter.held(k) = passed
      }
      meter
    }
    statistics.observe(order, meter(executed), meter(inTurn))
    statistics
  }

  private val byPipeline = Map(
    0 -> statistics((3, 7.0, 100L), (1, 200.0, 200L), (2, 600.0, 150L)),
    1 -> statistics((2, 5.0, 20L), (3, 5.0, 0L), (0, 5.0, 0L)),
    2 -> statistics((1, 5.0, 40L), (3, 5.0, 0L), (0, 5.0, 0L))
  )
  private val cache = CacheCases.candidate(0, 1, 1, 2)

  private def costs(rates: Int => Double, unit: UnitCosts): CacheCosts =
    CacheCosts.of(graph, cache, ready = 1, rates, byPipeline, miss = 0.3, unit, leaving = 0.5)

  private def near(a: Double, b: Double) = math.abs(a - b) < 1e-9

  test("processing 308, benefit 492, cost 24, net 468") {
    assert(near(CacheCosts.processing(800, 100, 150, 0.3, unit), 308))
    val found = costs(_ => 1.0, unit)
    assert(near(found.benefit, 492) && near(found.cost, 24) && near(found.net, 468))
  }

  test("each pipeline counts by its own rate") {
    val found = costs(Seq(0.5, 0.2, 0.3), unit)
    assert(near(found.benefit, 0.5 * 492) && near(found.cost, 0.4 * (0.2 * 20 + 0.3 * 40)))
  }

  test("tuples that a hit gives are read: beyond the thesis, a cost of their own") {
    assert(near(costs(_ => 1.0, unit.copy(tuple = 0.1)).benefit, 492 - 15))
  }

  test("a cache that rests on its own window's rows pays to look whether one that leaves was the last") {
    val supported = cache.copy(maintaining = cache.maintaining | 1L)
    def cost(leaving: Double) =
      CacheCosts.of(graph, supported, ready = 1, _ => 0.5, byPipeline, miss = 0.3, unit, leaving).cost
    assert(near(cost(leaving = 1.0) - cost(leaving = 0.0), 0.5 * 7))
  }

  private val ofItsPipeline = Seq((3, 7.0, 100L), (1, 200.0, 200L), (2, 600.0, 150L))

  test("a miss runs the segment without the predicates to what is joined before, which kept tuples from it") {
    val graph = new JoinGraph(4, JoinCases.oneKey(4), Vector(Bits.of(Seq(0, 1))))
    val own = observed(graph, ofItsPipeline, ofItsPipeline)(10)
    val found =
      CacheCosts.of(graph, cache, 1, _ => 1.0, byPipeline.updated(0, own), miss = 0.3, unit, leaving = 0.5)
    assert(near(found.benefit, 800 - CacheCosts.processing(200 + 600 / 0.1, 100, 1500, 0.3, unit)))
  }

  test("and without the early look-ups behind it, which dropped half") {
    val graph = new JoinGraph(4, JoinCases.oneKey(4))
    val own = observed(graph, ofItsPipeline, ofItsPipeline.updated(2, (2, 900.0, 300L)))()
    val found =
      CacheCosts.of(graph, cache, 1, _ => 1.0, byPipeline.updated(0, own), miss = 0.3, unit, leaving = 0.5)
    assert(near(found.benefit, 800 - CacheCosts.processing(2 * 800, 100, 300, 0.3, unit)))
  }

  test("early look-ups wait behind the place of maintenance: none at the end of a pipeline") {
    val executed = Seq((2, 10.0, 20L), (3, 10.0, 20L), (0, 5.0, 0L))
    val own = observed(graph, executed, Seq((2, 14.0, 20L), (3, 200.0, 20L), (0, 9.0, 0L)))()
    val atFirst =
      CacheCosts.of(graph, cache, 1, _ => 1.0, byPipeline.updated(1, own), miss = 0.3, unit, leaving = 0.5)
    assert(near(atFirst.cost, 24 + (14 - 10) + (200 - 10)))
    val global = cache.copy(maintaining = graph.everyInput)
    def atEnd(inTurn: Positions) = {
      val statistics = byPipeline.updated(1, observed(graph, executed, inTurn)()).updated(3, own)
      CacheCosts.of(graph, global, 1, _ => 1.0, statistics, miss = 0.3, unit, leaving = 0.5).cost
    }
    assert(near(atEnd(executed), atEnd(Seq((2, 14.0, 20L), (3, 200.0, 20L), (0, 9.0, 0L)))))
  }

  test("a clock around each step tells how the time of the whole is shared") {
    val meter = new MeteredSynopses(graph, Array(1, 2, 3), new InMemorySynopses(graph), () => 0L, 0.0)
    meter.nanos(1) = 300.0
    meter.nanos(3) = 100.0
    meter.scale(200.0)
    assert(meter.nanos.toSeq == Seq(0.0, 150.0, 0.0, 50.0))
    meter.scale(400.0)
    assert(meter.nanos.toSeq == Seq(0.0, 300.0, 0.0, 100.0))
    meter.scale(1e9)
    assert(meter.nanos.toSeq == Seq(0.0, 1200.0, 0.0, 400.0), "an interruption")
    meter.clear()
    meter.scale(200.0)
    assert(meter.nanos.sum == 0.0, "a row that costs nothing")
  }

  test("a change is by more than a share, of benefit or of cost") {
    val before = CacheCases.costs(100, 10)
    assert(!CacheCases.costs(119, 8.1).differs(before, 0.2))
    assert(CacheCases.costs(121, 10).differs(before, 0.2) && CacheCases.costs(100, 12.1).differs(before, 0.2))
    assert(CacheCases.costs(100, 7.9).differs(before, 0.2) && !before.differs(before, 0.0))
  }
}
