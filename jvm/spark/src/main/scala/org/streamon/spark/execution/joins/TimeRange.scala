package org.streamon.spark.execution.joins

import scala.util.Try

import org.apache.spark.sql.catalyst.analysis.StreamingJoinHelper
import org.apache.spark.sql.catalyst.expressions.{And, Attribute, AttributeSet, Expression, Literal}
import org.streamon.spark.logical.TwoWayWatermarks.Base

private[joins] object TimeRange {

  /** How far an event time must be ahead, in milliseconds, of one that another's exceeds, for their rows to
    * meet: of the conditions between the two, as Spark reads them. None where rows that are not so far ahead
    * do meet: Spark reads `t + INTERVAL 5 MINUTES + INTERVAL 5 MINUTES`, which columns computed between joins
    * come to, as if the second was not there.
    */
  def lead(of: Attribute, over: Attribute, conditions: Seq[Expression]): Option[Long] =
    StreamingJoinHelper
      .getStateValueWatermark(
        AttributeSet(of),
        AttributeSet(over),
        conditions.reduceOption(And(_, _)),
        Some(Base)
      )
      .filter(least => !conditions.forall(mayHold(_, of, least * 1000L, over, Base * 1000L + 1L)))
      .map(_ - Base)

  /** Whether a condition may hold at these times, microseconds. */
  private def mayHold(condition: Expression, of: Attribute, at: Long, over: Attribute, later: Long): Boolean =
    !condition.references.subsetOf(AttributeSet(Seq(of, over))) || {
      def atTimes = condition.transform {
        case a: Attribute if a.semanticEquals(of)   => Literal(at, of.dataType)
        case a: Attribute if a.semanticEquals(over) => Literal(later, over.dataType)
      }
      Try(atTimes.eval()).toOption.forall(_ == true)
    }
}
