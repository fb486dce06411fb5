package org.streamon.spark.hints

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.InnerLike
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.util.UnsafeRowUtils
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streamon.SparkInternals
import org.streamon.spark.errors.HintError
import org.streamon.spark.logical.{OrderedInput, RowOrder, RowsWindow}

/** Adds a window of rows (CQL, `ROWS` and `PARTITION BY`) to an input. All streams of the block are then
  * processed in the order of their event times, so each of them needs one.
  *
  * @throws HintError
  *   when the name matches no input or several, the input is not a stream or already has a window of rows, a
  *   stream has no event time or several, the input does not have a column, or a join of streams is not
  *   `INNER`
  */
private[hints] object OrderedInputs {
  import StreamWindow.Hint

  /** A name that is hardly a user's. */
  private val Tie = "__streamon_tie"

  def apply(window: RowWindow, block: LogicalPlan): LogicalPlan = {
    val inputs = JoinInputs.of(block)
    val named = JoinInputs.named(window.input, inputs, Hint, allowed = inputs.filter(_.plan.isStreaming))
    def refused(why: String) = HintError.rowsNotJoined(Hint, window.input, window.text, why)
    if (!named.plan.isStreaming) throw refused(s"`${window.input}` is not a stream.")
    val streams = inputs.filter(_.plan.isStreaming)
    if (streams.size < 2) throw HintError.tooFewStreams(Hint, text(window), streams.flatMap(_.name))
    notInner(block).foreach(join => throw refused(s"Streams are joined by a ${join.joinType.sql} JOIN."))
    val id = NamedExpression.newExprId.id
    JoinInputs.replaced(block) { input =>
      if (!input.plan.isStreaming) input.plan
      else {
        val place = inputs.indexWhere(_.plan eq input.plan)
        val ordered = input.plan match {
          case known: OrderedInput => known.copy(order = known.order.copy(place = place))
          case plan                =>
            val order = RowOrder(time(input, window, streams), place, None)
            OrderedInput(order, input.name.getOrElse(""), id, streams.size, plan)
        }
        val windowed = if (input.plan eq named.plan) over(ordered, window) else ordered
        windowed.copy(block = id, inputs = streams.size)
      }
    }
  }

  private def time(input: JoinInput, window: RowWindow, streams: Seq[JoinInput]): Attribute = {
    val name = input.name.getOrElse(input.plan.output.map(_.name).mkString("(", ", ", ")"))
    input.eventTimes match {
      case Seq(one) => one
      case Seq()    =>
        val ordered = streams.filter(_.eventTimes.nonEmpty).flatMap(_.name)
        throw HintError.noOrder(Hint, window.input, window.text, name, ordered)
      case several => throw HintError.severalEventTimes(Hint, name, several.map(_.name))
    }
  }

  private def over(input: OrderedInput, window: RowWindow): OrderedInput = {
    for (known <- input.order.window)
      throw HintError.rowsNotJoined(
        Hint,
        window.input,
        window.text,
        s"The input already has the window '${known.sql}'."
      )
    val tie = Alias(tieOf(input.child.output), Tie)()
    val groups = window.groups.map(column(_, input.child, window))
    input.copy(
      order = input.order.copy(window = Some(RowsWindow(window.rows, tie.toAttribute, groups))),
      child = Project(input.child.output :+ tie, input.child)
    )
  }

  /** Of all that a row has, so that which of two comes first does not depend on what is selected of them. A
    * hash leaves nulls out; maps have none.
    */
  private def tieOf(columns: Seq[Attribute]): Expression = {
    val hashed = columns.filter(column => SparkInternals.hashes(column.dataType))
    new XxHash64(hashed ++ hashed.filter(_.nullable).map(IsNull(_)))
  }

  private def column(name: Seq[String], input: LogicalPlan, window: RowWindow): Expression = {
    def unknown = HintError.unknownColumn(Hint, name.mkString("."), window.input, input.output.map(_.name))
    input.resolve(name, SQLConf.get.resolver) match {
      case Some(column: Attribute) if UnsafeRowUtils.isBinaryStable(column.dataType) => column
      case Some(column: Attribute)                                                   =>
        val why =
          s"equal values of the column `${column.name}` of type ${column.dataType.sql} can have different bytes"
        throw HintError.badWindow(Hint, window.text, why)
      case _ => throw unknown
    }
  }

  private def notInner(block: LogicalPlan): Option[Join] = block.collectFirst {
    case join: Join
        if join.left.isStreaming && join.right.isStreaming && !join.joinType.isInstanceOf[InnerLike] &&
          JoinInputs.of(block).forall(input => !input.plan.exists(_ eq join)) =>
      join
  }

  private def text(window: RowWindow) = s"$Hint(${window.input}, ${window.text})"
}
