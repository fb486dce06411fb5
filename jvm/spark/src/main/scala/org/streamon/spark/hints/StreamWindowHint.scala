package org.streamon.spark.hints

import org.apache.spark.sql.catalyst.expressions.{Attribute, LessThan, Literal, TimestampAddInterval}
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule
import org.streamon.spark.errors.HintError
import org.apache.spark.sql.types.DayTimeIntervalType

/** Replaces `STREAM_WINDOW(c, 'RANGE 10 MINUTES')` by a [[WindowedJoins]] above the joins of the block. Names
  * are looked up later, by [[ApplyStreamWindowHint]], when the plan is resolved.
  *
  * @throws HintError
  *   when the text is not a supported window, or the block has no join
  */
object ResolveStreamWindowHint extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperatorsUp {
    case UnresolvedHint(name, parameters, block) if name.equalsIgnoreCase(StreamWindow.Hint) =>
      val texts = parameters.map(JoinInputs.asText)
      val window = StreamWindow.of(texts)
      JoinInputs.above(block, intoSubqueries = false)(WindowedJoins(window, _)).getOrElse {
        throw HintError.noJoin(StreamWindow.Hint, s"${StreamWindow.Hint}(${texts.mkString(", ")})")
      }
  }
}

/** Keeps a window above its joins until they are resolved. */
case class WindowedJoins(window: StreamWindow, child: LogicalPlan) extends UnaryNode {
  override def output: Seq[Attribute] = child.output
  override protected def withNewChildInternal(newChild: LogicalPlan): WindowedJoins = copy(child = newChild)
}

/** Turns `RANGE` windows into conditions between event times: `other.t < c.t + range` for every other input
  * that has an event time. A result arrives at the largest event time of its rows, and by then the row of the
  * windowed input must not be older than the window (CQL, `RANGE`, the insertions). Spark's own joins can use
  * such conditions too, and they do not depend on the order in which rows come. [[OrderedInputs]] handles
  * windows of rows.
  *
  * @throws HintError
  *   when the name matches no input or several, when the input has no event time or several, when no other
  *   input has one, or when an outer join stands between
  */
object ApplyStreamWindowHint extends Rule[LogicalPlan] {
  import StreamWindow.Hint

  override def apply(plan: LogicalPlan): LogicalPlan =
    if (!plan.exists(_.isInstanceOf[WindowedJoins])) plan
    else
      AnalysisHelper.allowInvokingTransformsInAnalyzer {
        plan.transformUp {
          // The conditions of the joins that MJOIN marks.
          case WindowedJoins(window, hinted: HintedJoins) if hinted.resolved =>
            hinted.copy(child = windowed(window, hinted.child))
          case WindowedJoins(window, block) if block.resolved => windowed(window, block)
        }
      }

  private def windowed(window: StreamWindow, block: LogicalPlan): LogicalPlan = window match {
    case range: RangeWindow => windowed(range, block)
    case rows: RowWindow    => OrderedInputs(rows, block)
  }

  private def windowed(window: RangeWindow, block: LogicalPlan): LogicalPlan = {
    val inputs = JoinInputs.of(block)
    val input = JoinInputs.named(window.input, inputs, Hint, allowed = inputs)
    val times = inputs.flatMap(i => i.eventTimes.map(i -> _))
    val (own, others) = times.partition(_._1 eq input)
    val time = own.map(_._2) match {
      case Seq(one) => one
      case Seq()    => throw HintError.noEventTime(Hint, window.input, times.flatMap(_._1.name).distinct)
      case several  => throw HintError.severalEventTimes(Hint, window.input, several.map(_.name))
    }
    if (others.isEmpty) throw HintError.nothingToMeasure(Hint, window.input)
    // A day has 24 hours there, which is how Spark's watermarks measure it.
    val end = TimestampAddInterval(time, Literal(window.micros, DayTimeIntervalType()), Some("UTC"))
    others.foldLeft(block) { case (sofar, (other, otherTime)) =>
      ConditionBetween(sofar, LessThan(otherTime, end)).fold(
        join =>
          throw HintError.windowNotInner(Hint, window.input, other.name.getOrElse(otherTime.name), join.sql),
        identity
      )
    }
  }
}
