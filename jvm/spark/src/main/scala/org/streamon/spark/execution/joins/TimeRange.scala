package org.streamon.spark.execution.joins

import org.apache.spark.sql.catalyst.analysis.StreamingJoinHelper
import org.apache.spark.sql.catalyst.expressions.{And, Attribute, AttributeSet, Expression}
import org.streamon.spark.logical.TwoWayWatermarks.Base

private[joins] object TimeRange {

  /** How far an event time must be ahead, in milliseconds, of one that another's exceeds, for their rows to
    * meet: of the conditions between the two, as Spark reads them.
    */
  def lead(of: Attribute, over: Attribute, conditions: Seq[Expression]): Option[Long] =
    StreamingJoinHelper
      .getStateValueWatermark(
        AttributeSet(of),
        AttributeSet(over),
        conditions.filterNot(repeats).reduceOption(And(_, _)),
        Some(Base)
      )
      .map(_ - Base)

  /** Spark reads `t + INTERVAL 5 MINUTES + INTERVAL 5 MINUTES`, which columns computed between joins come to,
    * as if the second was not there.
    */
  private def repeats(condition: Expression): Boolean = {
    val leaves = condition.collectLeaves().map(_.canonicalized)
    leaves.distinct.size < leaves.size
  }
}
