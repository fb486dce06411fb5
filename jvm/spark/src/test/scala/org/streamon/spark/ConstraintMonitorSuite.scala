package org.streamon.spark

import scala.collection.immutable.ArraySeq

import org.apache.spark.util.SizeEstimator
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.core.constraints.MissedSample
import org.streamon.spark.metrics._

/** What the driver adds up of what tasks tell. */
class ConstraintMonitorSuite extends AnyFunSuite {
  private val query = "a query of this suite"

  private def texts(mode: String, constraints: Int, inputs: Int) = ConstraintTexts(
    owner = None,
    "MJoin 0",
    mode,
    0.1,
    sharesKeys = false,
    Vector.fill(inputs)(None),
    Vector.tabulate(constraints)(c => ConstraintDescription(s"CA $c", "CA", 0, None, declared = false, None))
  )

  private val one = texts("approximate", constraints = 1, inputs = 1)

  private def counts(
      batch: Long,
      partition: Int,
      evicted: Long,
      k: Option[Long],
      told: ConstraintTexts = one
  ) = {
    val n = told.constraints.size
    val status = k.map { known =>
      ConstraintStatus(
        ArraySeq.fill(n)(known),
        ArraySeq.fill(n)(0L),
        ArraySeq.fill(n)(true),
        ArraySeq.fill(n)(true)
      )
    }
    val missed = MissedSample(evicted.toDouble, 1.0, evicted.toDouble)
    val input = EvictionCounts(100L, 0L, 10L, 0L, evicted, 0L, 1L, missed)
    ConstraintCounts(batch, query, batch, partition, status, Vector.fill(told.inputs.size)(input), 0L)
  }

  private def uses(of: ConstraintMonitor) = of.latest(None).filter(_.query == query)

  /** What one MJoin of two partitions tells. */
  private def bring(
      monitor: ConstraintMonitor,
      batch: Long,
      evicted: Long = 0L,
      k: Option[Long]
  ): Unit =
    for (partition <- 0 to 1)
      monitor.record(counts(batch, partition, evicted, k.map(_ + partition)), one)

  test("a micro-batch that is done again counts once; partitions add up") {
    val monitor = new ConstraintMonitor
    for ((batch, evicted) <- Seq(1L -> 5L, 2L -> 7L, 2L -> 6L, 2L -> 6L, 3L -> 1L))
      bring(monitor, batch, evicted, k = Some(batch))
    assert(uses(monitor).size == 2)
    for (i <- uses(monitor).flatMap(_.inputs)) {
      assert(i.evictedRows == 5 + 6 + 1 && i.violations == 3)
      assert(i.missed == MissedSample(12.0, 3.0, 6.0))
    }
    val points = monitor.history(None)
    assert(points.map(_.rows) == Seq.fill(3)(200L) && points.map(_.deadRows) == Seq.fill(3)(20L))
    assert(points.map(_.k) == Seq(Some(2L), Some(3L), Some(4L)))
  }

  test("what a partition does not tell is what it told before") {
    val monitor = new ConstraintMonitor
    bring(monitor, 1L, k = Some(3L))
    monitor.record(counts(2L, 0, 0L, k = None), one)
    monitor.record(counts(2L, 1, 0L, k = Some(9L)), one)
    assert(uses(monitor).flatMap(_.status).flatMap(_.k(0)).toSet == Set(3L, 9L))
    assert(monitor.history(None).map(_.k) == Seq(Some(4L), Some(9L)))
  }

  test("micro-batches that are done again replace their points") {
    val monitor = new ConstraintMonitor
    for (batch <- Seq(1L, 2L, 3L, 4L)) bring(monitor, batch, k = Some(batch))
    for (batch <- Seq(3L, 4L)) bring(monitor, batch, k = Some(20L + batch))
    assert(monitor.history(None).map(_.k) == Seq(2L, 3L, 24L, 25L).map(Some(_)))
  }

  test("in another mode an MJoin goes on, and with other constraints it begins anew") {
    val monitor = new ConstraintMonitor
    bring(monitor, 1L, evicted = 2L, k = Some(5L))
    val exact = one.copy(mode = "exact")
    monitor.record(counts(2L, 0, 3L, k = None, exact), exact)
    assert(
      uses(monitor).map(u => u.texts.mode -> u.inputs.map(_.evictedRows)).toSet ==
        Set("exact" -> Vector(5L), "approximate" -> Vector(2L))
    )
    assert(monitor.history(None).size == 2)
    val others = texts("exact", constraints = 2, inputs = 1)
    monitor.record(counts(3L, 0, 3L, k = None, others), others)
    assert(uses(monitor).map(_.inputs.map(_.evictedRows)) == Seq(Vector(3L)))
    assert(uses(monitor).map(_.status) == Seq(None) && monitor.history(None).map(_.k) == Seq(None, None))
  }

  test("a join that can keep no constraint has no points") {
    val (monitor, none) = (new ConstraintMonitor, texts("observe", constraints = 0, inputs = 2))
    for (batch <- 1L to 3L) monitor.record(counts(batch, 0, 0L, k = None, none), none)
    assert(monitor.history(None).isEmpty && uses(monitor).size == 1)
  }

  test("what is kept of many partitions does not grow with the micro-batches") {
    val monitor = new ConstraintMonitor
    // As an 8-way join has.
    val many = texts("observe", constraints = 80, inputs = 8)
    def bring(batches: Range): Long = {
      for (batch <- batches; partition <- 0 until 200)
        monitor.record(counts(batch.toLong, partition, 1L, Some(batch.toLong), many), many)
      SizeEstimator.estimate(monitor)
    }
    bring(1 to 200)
    val (early, late) = (bring(201 to 210), bring(211 to 600))
    assert(late < early * 1.05 && late < (64 << 20), s"$early bytes, and then $late")
  }

  test("queries that tell no more make room") {
    val monitor = new ConstraintMonitor
    val many = texts("observe", constraints = 80, inputs = 8)
    for (old <- 1 to 100; partition <- 0 until 200)
      monitor.record(counts(1L, partition, 1L, Some(1L), many).copy(query = s"old $old"), many)
    val left = monitor.latest(None).map(_.query).distinct
    assert(left.size < 100 && left.contains("old 100") && !left.contains("old 1"))
    assert(SizeEstimator.estimate(monitor) < (64 << 20))
  }

  test("a hint names k where it has one and k is known") {
    val (unique, close) =
      (ConstraintHint("UNIQUE(a, k)", hasK = false), ConstraintHint("CA(a, ", hasK = true))
    assert(Seq(None, Some(7L)).map(unique.text) == Seq.fill(2)(Some("UNIQUE(a, k)")))
    assert(Seq(None, Some(7L)).map(close.text) == Seq(None, Some("CA(a, 7)")))
  }
}
