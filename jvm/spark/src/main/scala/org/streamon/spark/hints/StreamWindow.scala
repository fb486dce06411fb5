package org.streamon.spark.hints

import java.util.concurrent.TimeUnit.MICROSECONDS

import scala.util.Try
import scala.util.control.NonFatal

import org.apache.spark.sql.catalyst.util.IntervalUtils
import org.apache.spark.sql.streamon.HintError

/** A window of CQL on an input, as a hint says it: `RANGE 10 MINUTES`.
  *
  * @param micros
  *   how long it is, microseconds, above 0
  */
private[hints] final case class StreamWindow(input: String, micros: Long)

private[hints] object StreamWindow {
  val Hint = "STREAM_WINDOW"

  /** A hundred years: no time of a stream goes beyond what Spark can add it to. */
  private val Longest = 36525L * 24 * 3600 * 1000000

  private val Range = "(?is)\\s*range\\s(.*)".r

  /** @throws HintError
    *   when the parameters are not a name and a text, or the text is no window that there is
    */
  def of(parameters: Seq[String]): StreamWindow = parameters match {
    case Seq(input, text) => StreamWindow(input, micros(text))
    case other            =>
      throw HintError.badWindow(Hint, other.mkString(", "), "it takes the name of an input and a window")
  }

  private def micros(text: String): Long = text match {
    case Range(interval) =>
      val parsed =
        try IntervalUtils.fromIntervalString(interval)
        catch { case NonFatal(_) => throw HintError.badWindow(Hint, text, "Spark reads no interval there") }
      if (parsed.months != 0)
        throw HintError.badWindow(Hint, text, "months and years are not of one length")
      Try(IntervalUtils.getDuration(parsed, MICROSECONDS))
        .filter(length => length > 0 && length <= Longest)
        .getOrElse(throw HintError.badWindow(Hint, text, "the interval is not above zero, or too long"))
    case _ => throw HintError.unsupportedWindow(Hint, text)
  }
}
