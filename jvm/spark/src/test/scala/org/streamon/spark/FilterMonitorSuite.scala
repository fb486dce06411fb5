package org.streamon.spark

import org.apache.spark.util.SizeEstimator
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.core.filters.OrderStatistics
import org.streamon.core.loop.Decision
import org.streamon.spark.metrics.{FilterCounts, FilterMonitor, FilterTexts}

/** What the driver keeps of what tasks tell of adaptive filters. */
class FilterMonitorSuite extends AnyFunSuite {
  private def texts(length: Int) =
    FilterTexts("AdaptiveFilter 0", "here", "a-greedy", Vector("a" * length, "b" * length))

  private val decision =
    Decision(0L, Vector(0, 1), Vector(1, 0), OrderStatistics(Vector(1.0, 1.0), Vector(0.5, 0.5)))

  private def counts(query: String) = FilterCounts(
    query,
    isStreaming = true,
    0,
    Array(1, 0),
    Array(10L, 5L),
    Array(5L, 1L),
    10L,
    4L,
    3L,
    1L,
    2L,
    Seq(decision)
  )

  test("the counts of tasks add up, and decisions have the texts of their operator") {
    for (_ <- 1 to 3) FilterMonitor.record(counts("adds up"), texts(5))
    val found = FilterMonitor.totals.filter(_.query == "adds up")
    assert(found.size == 1)
    val total = found.head
    assert(total.evaluations.toSeq == Seq(30L, 15L) && total.drops.toSeq == Seq(15L, 3L))
    assert((total.inputRows, total.outputRows, total.profiled, total.reorders) == (30L, 12L, 9L, 3L))
    assert(total.order == Seq(1, 0) && total.conjuncts == Seq("aaaaa", "bbbbb"))
    val decisions = FilterMonitor.decisions.filter(_.query == "adds up")
    assert(decisions.size == 3 && decisions.forall(d => d.parts == total.conjuncts && d.decision == decision))
  }

  test("operators with long conjuncts make room for each other, and their decisions go with them") {
    for (n <- 1 to 50) FilterMonitor.record(counts(s"long $n"), texts(1 << 20))
    val left = FilterMonitor.totals.map(_.query)
    assert(left.contains("long 50") && !left.contains("long 1") && !left.contains("adds up"))
    assert(FilterMonitor.decisions.map(_.query).toSet.subsetOf(left.toSet))
    assert(SizeEstimator.estimate(FilterMonitor) < (24 << 20))
  }
}
