package org.streamon.spark

import org.scalatest.funsuite.AnyFunSuite
import org.streamon.core.constraints.MissedSample
import org.streamon.spark.metrics.{ConstraintMonitor, ConstraintReport, ConstraintUse, EvictionReport}

/** What the driver adds up of what tasks tell. */
class ConstraintMonitorSuite extends AnyFunSuite {
  private val query = "a query of this suite"

  private def use(batch: Long, partition: Int, evicted: Long, k: Option[Long]) = {
    val report = ConstraintReport("CA", "CA", None, 0, declared = false, used = true, k, 0L, None)
    val missed = MissedSample(evicted.toDouble, 1.0, evicted.toDouble)
    val input = EvictionReport(None, 100L, 0L, 10L, 0L, evicted, 0L, 1L, missed)
    ConstraintUse(
      batch,
      query,
      "MJoin 0",
      batch,
      "approximate",
      0.1,
      partition,
      Vector(report),
      Vector(input),
      0L,
      false
    )
  }

  test("a micro-batch that is done again counts once; partitions add up") {
    for ((batch, evicted) <- Seq(1L -> 5L, 2L -> 7L, 2L -> 6L, 2L -> 6L, 3L -> 1L); partition <- 0 to 1)
      ConstraintMonitor.record(use(batch, partition, evicted, k = Some(batch + partition)))
    val inputs = ConstraintMonitor.latest.filter(_.query == query).flatMap(_.inputs)
    assert(inputs.size == 2)
    for (i <- inputs) {
      assert(i.evictedRows == 5 + 6 + 1 && i.violations == 3)
      assert(i.missed == MissedSample(12.0, 3.0, 6.0))
    }
    val points = ConstraintMonitor.history.filter(_.query == query)
    assert(points.map(_.rows) == Seq.fill(3)(200L) && points.map(_.deadRows) == Seq.fill(3)(20L))
    assert(points.map(_.k) == Seq(Some(2L), Some(3L), Some(4L)))
  }
}
