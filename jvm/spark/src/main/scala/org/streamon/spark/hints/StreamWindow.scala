package org.streamon.spark.hints

import java.util.concurrent.TimeUnit.MICROSECONDS

import scala.util.Try
import scala.util.control.NonFatal

import org.apache.spark.sql.catalyst.analysis.{UnresolvedAttribute, UnresolvedFunction}
import org.apache.spark.sql.catalyst.parser.CatalystSqlParser
import org.apache.spark.sql.catalyst.util.IntervalUtils
import org.streamon.spark.errors.HintError

/** A CQL window on an input, as written in a hint. */
private[hints] sealed trait StreamWindow {
  def input: String
}

/** `RANGE 10 MINUTES`
  *
  * @param micros
  *   the length in microseconds, above 0
  */
private[hints] final case class RangeWindow(input: String, micros: Long) extends StreamWindow

/** `ROWS 1000`, `PARTITION BY a, b ROWS 4`
  *
  * @param text
  *   the window as written
  * @param groups
  *   the columns of `PARTITION BY`, each as the parts of its name; empty for the whole stream
  * @param rows
  *   the number of rows, above 0
  */
private[hints] final case class RowWindow(input: String, text: String, groups: Seq[Seq[String]], rows: Int)
    extends StreamWindow

private[hints] object StreamWindow {
  val Hint = "STREAM_WINDOW"

  /** A hundred years. Spark can add it to every timestamp of a stream. */
  private val Longest = 36525L * 24 * 3600 * 1000000

  private val Range = "(?is)\\s*range\\s(.*)".r
  private val Rows = "(?is)\\s*(?:partition\\s+by\\s(.*\\S)\\s+)?rows\\s(.*)".r

  /** @throws HintError
    *   when the parameters are not a name and a text, or the text is not a supported window
    */
  def of(parameters: Seq[String]): StreamWindow = parameters match {
    case Seq(input, text @ Range(interval))      => RangeWindow(input, micros(text, interval))
    case Seq(input, text @ Rows(columns, count)) =>
      RowWindow(
        input,
        text.trim,
        Option(columns).fold(Seq.empty[Seq[String]])(names(text, _)),
        rows(text, count)
      )
    case Seq(_, text) => throw HintError.unsupportedWindow(Hint, text)
    case other        =>
      throw HintError.badWindow(
        Hint,
        other.mkString(", "),
        "the hint needs the name of an input and a window"
      )
  }

  private def micros(text: String, interval: String): Long = {
    val parsed =
      try IntervalUtils.fromIntervalString(interval)
      catch { case NonFatal(_) => throw HintError.badWindow(Hint, text, "Spark cannot read the interval") }
    if (parsed.months != 0)
      throw HintError.badWindow(Hint, text, "months and years differ in length")
    Try(IntervalUtils.getDuration(parsed, MICROSECONDS))
      .filter(length => length > 0 && length <= Longest)
      .getOrElse(
        throw HintError.badWindow(Hint, text, "the interval must be above zero and at most a hundred years")
      )
  }

  private def rows(text: String, count: String): Int =
    count.trim.toIntOption
      .filter(_ > 0)
      .getOrElse(throw HintError.badWindow(Hint, text, s"ROWS needs a number from 1 to ${Int.MaxValue}"))

  /** Parses names of columns as Spark does. */
  private def names(text: String, columns: String): Seq[Seq[String]] =
    Try(CatalystSqlParser.parseExpression(s"f($columns)")).toOption
      .collect { case f: UnresolvedFunction if !f.isDistinct && f.filter.isEmpty => f.arguments }
      .filter(_.nonEmpty)
      .map(_.map {
        case name: UnresolvedAttribute => name.nameParts
        case _ => throw HintError.badWindow(Hint, text, "PARTITION BY supports only names of columns")
      })
      .getOrElse(throw HintError.badWindow(Hint, text, "PARTITION BY needs names of columns"))
}
