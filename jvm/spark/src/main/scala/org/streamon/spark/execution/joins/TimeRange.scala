package org.streamon.spark.execution.joins

import org.apache.spark.sql.catalyst.analysis.StreamingJoinHelper
import org.apache.spark.sql.catalyst.expressions.{And, Attribute, AttributeSet, Expression}

private[joins] object TimeRange {

  /** How far columns of an input must be ahead, in milliseconds, of a time that another's exceeds, for their
    * rows to meet: of the conditions between the two, as Spark reads them.
    */
  def lead(of: Seq[Attribute], over: Attribute, conditions: Seq[Expression]): Option[Long] =
    StreamingJoinHelper
      .getStateValueWatermark(
        AttributeSet(of),
        AttributeSet(over),
        conditions.reduceOption(And(_, _)),
        Some(Base)
      )
      .map(_ - Base)

  /** Any watermark will do to find the distance; this one keeps what Spark rounds towards zero rounded down.
    */
  private val Base = 1L << 41
}
