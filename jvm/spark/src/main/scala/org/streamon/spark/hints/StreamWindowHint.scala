package org.streamon.spark.hints

import org.apache.spark.sql.catalyst.expressions.{Attribute, LessThan, Literal, TimestampAddInterval}
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule
import org.streamon.spark.errors.HintError
import org.apache.spark.sql.types.DayTimeIntervalType

/** Takes `STREAM_WINDOW(c, 'RANGE 10 MINUTES')` out of the plan and leaves [[WindowedJoins]] where its joins
  * are. What the name stands for is known when the plan is resolved, so the rest is for
  * [[ApplyStreamWindowHint]].
  *
  * @throws HintError
  *   when the text is no window that there is, or the block has no join
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

/** Stands above joins with a window until they are resolved. */
case class WindowedJoins(window: StreamWindow, child: LogicalPlan) extends UnaryNode {
  override def output: Seq[Attribute] = child.output
  override protected def withNewChildInternal(newChild: LogicalPlan): WindowedJoins = copy(child = newChild)
}

/** Writes windows of event time as conditions between event times. A result arrives at the largest event time
  * of its rows, and the row of a windowed input must not be older by then than the window is long (CQL,
  * `RANGE`, the insertions): that is, `other.t < c.t + range` for every other input that has an event time.
  * So windows are conditions like others, for Spark's own joins too, and do not depend on how rows come.
  * Windows of rows are for [[OrderedInputs]].
  *
  * @throws HintError
  *   when the name is no input or that of several, when it has no event time or several, when no other has
  *   one, or when an outer join lies between
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
