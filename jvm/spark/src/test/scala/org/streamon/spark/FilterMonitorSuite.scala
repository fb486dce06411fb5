package org.streamon.spark

import org.apache.spark.util.SizeEstimator
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.core.filters.OrderStatistics
import org.streamon.core.loop.Decision
import org.streamon.spark.metrics._

/** What the driver keeps of what tasks tell of adaptive filters. */
class FilterMonitorSuite extends AnyFunSuite {
  private def texts(length: Int) =
    FilterTexts(None, "AdaptiveFilter 0", "here", "a-greedy", Vector("a" * length, "b" * length))

  private val decision =
    Decision(0L, Vector(0, 1), Vector(1, 0), OrderStatistics(Vector(1.0, 1.0), Vector(0.5, 0.5)))

  private def counts(query: String, executor: String = "1", order: Seq[Int] = Seq(1, 0)) = FilterCounts(
    query,
    isStreaming = true,
    executor,
    0,
    order.toArray,
    Nil,
    Array(10L, 5L),
    Array(5L, 1L),
    10L,
    4L,
    3L,
    Some(6L),
    1L,
    2L,
    Seq(OrderChange(decision))
  )

  test("the counts of tasks add up, and decisions have the texts of their operator") {
    val monitor = new FilterMonitor
    for (_ <- 1 to 3) monitor.record(counts("query"), texts(5))
    assert(monitor.totals(None).size == 1)
    val total = monitor.totals(None).head
    assert(total.evaluations.toSeq == Seq(30L, 15L) && total.drops.toSeq == Seq(15L, 3L))
    assert((total.inputRows, total.outputRows, total.profiled, total.reorders) == (30L, 12L, 9L, 3L))
    assert(total.order == Seq(1, 0) && total.conjuncts == Seq("aaaaa", "bbbbb"))
    assert(monitor.decisions(None).size == 3 && monitor.decisions(None).forall(_.parts eq total.conjuncts))
  }

  test("nobody sees what is of another's queries") {
    val monitor = new FilterMonitor
    val (alice, bob) = (Some("user alice"), Some("user bob"))
    for (owner <- Seq(alice, bob, bob)) monitor.record(counts("query"), texts(5).copy(owner = owner))
    assert(monitor.totals(alice).map(_.inputRows) == Seq(10L) && monitor.decisions(alice).size == 1)
    assert(monitor.totals(bob).map(_.inputRows) == Seq(20L) && monitor.decisions(bob).size == 2)
    assert(monitor.totals(None).isEmpty && monitor.decisions(None).isEmpty)
  }

  test("the order is that of most rows, and not of the executor that told last") {
    val monitor = new FilterMonitor
    def tell(executor: String, order: Int*) = monitor.record(counts("query", executor, order), texts(5)).order
    assert(tell("1", 1, 0) == Seq(1, 0))
    tell("2", 1, 0)
    assert(tell("3", 0, 1) == Seq(1, 0), "two executors against one")
    assert(tell("2", 0, 1) == Seq(0, 1), "an executor has one order for all of its tasks")
    val later = (1 to 10).map(_ => tell("1", 1, 0))
    assert(later.last == Seq(1, 0), "executors that are silent count less and less")
  }

  test("of very many executors few are kept") {
    val monitor = new FilterMonitor
    for (n <- 1 to 2000)
      monitor.record(counts("query", s"$n", if (n % 3 == 0) Seq(1, 0) else Seq(0, 1)), texts(5))
    assert(monitor.totals(None).head.order == Seq(0, 1))
    assert(SizeEstimator.estimate(monitor.totals(None).head) < (8 << 10))
  }

  test("decisions name the executor that made them") {
    val monitor = new FilterMonitor
    for (executor <- Seq("1", "2")) monitor.record(counts("query", executor), texts(5))
    assert(monitor.decisions(None).map(_.executor) == Seq("1", "2"))
  }

  test("an algorithm that changes is told from then on") {
    val monitor = new FilterMonitor
    monitor.record(counts("query"), texts(5))
    monitor.record(counts("query"), texts(5).copy(algorithm = "sweep"))
    assert(monitor.totals(None).map(_.algorithm) == Seq("sweep"))
    assert(monitor.decisions(None).map(_.algorithm) == Seq("a-greedy", "sweep"))
  }

  test("operators with much text make room for each other, and their decisions go with them") {
    val monitor = new FilterMonitor
    for (n <- 1 to 50) monitor.record(counts(s"long $n"), texts(1 << 20))
    val left = monitor.totals(None).map(_.query)
    assert(left.contains("long 50") && !left.contains("long 1"))
    assert(monitor.decisions(None).map(_.query) == left)
    assert(SizeEstimator.estimate(monitor) < (24 << 20))
  }

  test("operators that are many make room for each other, and their decisions stay") {
    val monitor = new FilterMonitor
    for (n <- 1 to 1100) monitor.record(counts(s"query $n"), texts(5))
    assert(monitor.totals(None).size == 1000 && monitor.totals(None).head.query == "query 101")
    assert(monitor.decisions(None).size == 1100)
  }

  test("of very many decisions the latest are kept") {
    val monitor = new FilterMonitor
    for (_ <- 1 to 11000) monitor.record(counts("query"), texts(5))
    assert(monitor.decisions(None).size == 10000)
    val wide = Vector.fill(1000)("conjunct")
    for (_ <- 1 to 1000)
      monitor.record(Seq(DecisionReport("query", "wide", "1", "a-greedy", wide, OrderChange(decision))), None)
    assert(monitor.decisions(None).size < 1000 && monitor.decisions(None).forall(_.operator == "wide"))
  }
}
