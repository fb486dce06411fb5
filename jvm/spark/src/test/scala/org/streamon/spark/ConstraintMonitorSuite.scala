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
    "MJoin 0",
    mode,
    0.1,
    sharesKeys = false,
    Vector.fill(inputs)(None),
    Vector.tabulate(constraints)(c => ConstraintDescription(s"CA $c", "CA", None, 0, declared = false, None))
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

  private def uses = ConstraintMonitor.latest.filter(_.query == query)
  private def points = ConstraintMonitor.history.filter(_.query == query)

  test("a micro-batch that is done again counts once; partitions add up") {
    for ((batch, evicted) <- Seq(1L -> 5L, 2L -> 7L, 2L -> 6L, 2L -> 6L, 3L -> 1L); partition <- 0 to 1)
      ConstraintMonitor.record(counts(batch, partition, evicted, k = Some(batch + partition)), one)
    assert(uses.size == 2)
    for (i <- uses.flatMap(_.inputs)) {
      assert(i.evictedRows == 5 + 6 + 1 && i.violations == 3)
      assert(i.missed == MissedSample(12.0, 3.0, 6.0))
    }
    assert(points.map(_.rows) == Seq.fill(3)(200L) && points.map(_.deadRows) == Seq.fill(3)(20L))
    assert(points.map(_.k) == Seq(Some(2L), Some(3L), Some(4L)))
  }

  test("what a partition does not tell is what it told before") {
    ConstraintMonitor.record(counts(4L, 0, 0L, k = None), one)
    ConstraintMonitor.record(counts(4L, 1, 0L, k = Some(9L)), one)
    assert(uses.flatMap(_.status).flatMap(_.k(0)).toSet == Set(3L, 9L))
    assert(points.last.k.contains(9L))
  }

  test("micro-batches that are done again replace their points") {
    for (batch <- Seq(3L, 4L); partition <- 0 to 1)
      ConstraintMonitor.record(counts(batch, partition, 0L, k = Some(20L + batch)), one)
    assert(points.map(_.k) == Seq(2L, 3L, 23L, 24L).map(Some(_)))
  }

  test("under another mode an MJoin begins anew") {
    val exact = texts("exact", constraints = 1, inputs = 1)
    ConstraintMonitor.record(counts(5L, 0, 2L, k = None, exact), exact)
    assert(uses.map(_.inputs.map(_.evictedRows)) == Seq(Vector(2L)))
    assert(uses.map(_.status) == Seq(None) && points.map(_.k) == Seq(None))
  }

  test("what is kept of many partitions does not grow with the micro-batches") {
    // As an 8-way join has.
    val many = texts("observe", constraints = 80, inputs = 8)
    def bring(batches: Range): Long = {
      for (batch <- batches; partition <- 0 until 200)
        ConstraintMonitor.record(counts(batch.toLong, partition, 1L, Some(batch.toLong), many), many)
      SizeEstimator.estimate(ConstraintMonitor)
    }
    bring(1 to 200)
    val (early, late) = (bring(201 to 210), bring(211 to 600))
    assert(late < early * 1.05 && late < (64 << 20), s"$early bytes, and then $late")
  }

  test("queries that tell no more make room") {
    val many = texts("observe", constraints = 80, inputs = 8)
    for (old <- 1 to 100; partition <- 0 until 200)
      ConstraintMonitor.record(counts(1L, partition, 1L, Some(1L), many).copy(query = s"old $old"), many)
    val left = ConstraintMonitor.latest.map(_.query).distinct
    assert(left.size < 100 && left.contains("old 100") && !left.contains("old 1"))
    assert(SizeEstimator.estimate(ConstraintMonitor) < (64 << 20))
  }
}
