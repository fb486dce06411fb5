package org.streamon.spark.logical

import org.apache.spark.sql.catalyst.planning.ExtractEquiJoinKeys
import org.apache.spark.sql.catalyst.plans.logical.Join
import org.apache.spark.sql.execution.streaming.operators.stateful.join.StreamingSymmetricHashJoinHelper

/** How far behind the query's watermark those of the joins of two are that Spark would have, milliseconds, at
  * most 0. A join has the least of those below, and leaves what the ranges between its sides make of it.
  *
  * @param late
  *   by input, that of the join which reads it: rows whose event time is up to it come too late
  * @param delay
  *   that of the results
  */
final case class TwoWayWatermarks(late: Vector[Long], delay: Long)

object TwoWayWatermarks {

  def ofInput: TwoWayWatermarks = TwoWayWatermarks(Vector(0L), 0L)

  /** Of a join whose sides have these. */
  def of(join: Join, left: TwoWayWatermarks, right: TwoWayWatermarks): TwoWayWatermarks = {
    val own = left.delay min right.delay
    def lateIn(side: TwoWayWatermarks) = if (side.late.size == 1) Vector(own) else side.late
    TwoWayWatermarks(lateIn(left) ++ lateIn(right), own + lag(join))
  }

  /** By Spark's own rule, of the join as it is written: it knows the columns that it has by then. */
  private def lag(join: Join): Long = join match {
    case ExtractEquiJoinKeys(_, leftKeys, rightKeys, condition, _, left, right, _) =>
      val (ofLeft, ofRight) = StreamingSymmetricHashJoinHelper.getStateWatermark(
        left.output,
        right.output,
        leftKeys,
        rightKeys,
        condition,
        Some(Base),
        allowMultipleEventTimeColumns = true
      )
      (ofLeft ++ ofRight).map(_ - Base).foldLeft(0L)(_ min _)
    case _ => 0L
  }

  /** Any watermark will do to find the distance; this one keeps what Spark rounds towards zero rounded down.
    */
  private[spark] val Base = 1L << 41
}
