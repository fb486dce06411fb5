package org.streamon.core.caching

import org.scalatest.funsuite.AnyFunSuite
import org.streamon.core.joins.{Equality, JoinGraph, Probe, Synopses}

class PipelineMeterSpec extends AnyFunSuite {

  /** Every row meets so many rows of a window. */
  private class Repeated(matches: Int*) extends Synopses {
    def probe(window: Int, classes: Long, from: Array[Int]): Probe = new Probe {
      def first(joined: Array[Long]): Long = next(-1L, joined)
      def next(row: Long, joined: Array[Long]): Long = if (row + 1 < matches(window)) row + 1 else Probe.NoRow
    }
    def satisfies(residual: Int, joined: Array[Long]): Boolean = true
  }

  private val star = new JoinGraph(4, (1 to 3).map(i => Equality(0, i, i, 0)))

  private def profiled(graph: JoinGraph, matches: Int*) = {
    val meter = new PipelineMeter(graph, 0, Array(1, 2, 3), new Repeated(matches: _*), () => 0L, 0.0)
    val statistics = new PipelineStatistics(3, 0, 1)
    meter.measure(0L)
    statistics.observe(meter.order, meter.executed, meter.inTurn)
    (meter.lookUps, statistics)
  }

  test("a row that meets few rows is measured to its end") {
    val (_, statistics) = profiled(star, 0, 2, 3, 1)
    assert((0 to 3).map(statistics.tuplesInTurn) == Seq(1.0, 2.0, 6.0, 6.0))
  }

  test("a match that the loop goes back past has come by all the same") {
    // 3 is found by 2, so that its lack leads back past 1.
    val chain = new JoinGraph(4, Seq(Equality(0, 0, 1, 0), Equality(0, 1, 2, 0), Equality(2, 1, 3, 0)))
    val (_, statistics) = profiled(chain, 0, 1, 1, 0)
    assert((0 to 3).map(statistics.tuples) == Seq(1.0, 1.0, 1.0, 0.0))
  }

  test("a row that meets all combinations of many is measured in part") {
    val (lookUps, statistics) = profiled(star, 0, 3000, 3000, 0)
    assert(lookUps > 1000 && lookUps < 100000)
    assert(statistics.tuplesInTurn(3) == 0.0 && statistics.tuplesInTurn(2) > 1000)
  }
}
