package org.streamon.spark.execution.state

import scala.util.Try

import org.apache.spark.sql.catalyst.analysis.StreamingJoinHelper
import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet, Expression, Literal}
import org.apache.spark.sql.types.TimestampType
import org.streamon.spark.logical.TwoWayWatermarks.Base

private[state] object TimeRange {

  /** How far an event time must be ahead, in milliseconds, of one that another's exceeds, for their rows to
    * meet: by the conditions between the two, as Spark reads them. A second less where times are cast to
    * whole seconds. Not those by which rows do meet that are not so far ahead: Spark reads
    * `t + INTERVAL 5 MINUTES + INTERVAL 5 MINUTES`, which columns computed between joins come to, as if the
    * second was not there.
    */
  def lead(of: Attribute, over: Attribute, conditions: Seq[Expression]): Option[Long] =
    conditions
      .filter(_.references.subsetOf(AttributeSet(Seq(of, over))))
      .flatMap { condition =>
        StreamingJoinHelper
          .getStateValueWatermark(AttributeSet(of), AttributeSet(over), Some(condition), Some(Base))
          .flatMap(least => Seq(least, least - 1000L).find(!mayHold(condition, of, _, over)))
      }
      .minOption
      .map(_ - Base)

  /** Whether a condition may hold at a time, milliseconds, for the least that exceeds the watermark. */
  private def mayHold(condition: Expression, of: Attribute, millis: Long, over: Attribute): Boolean = {
    def atTimes = condition.transform {
      case a: Attribute if a.semanticEquals(of)   => Literal(millis * 1000L, TimestampType)
      case a: Attribute if a.semanticEquals(over) => Literal(Base * 1000L + 1L, TimestampType)
    }
    val areTimes = of.dataType == TimestampType && over.dataType == TimestampType
    areTimes && Try(atTimes.eval()).toOption.forall(_ == true)
  }
}
