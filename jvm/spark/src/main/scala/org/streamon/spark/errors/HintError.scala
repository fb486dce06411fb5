package org.streamon.spark.errors

import org.streamon.core.constraints.ConstraintKind
import org.apache.spark.sql.streamon.StreamonError

/** An invalid hint. */
final class HintError private (condition: String, text: String)
    extends StreamonError(condition, text, "42000")

object HintError {
  def unknownInput(hint: String, name: String, allowed: Seq[String]): HintError = new HintError(
    "STREAMON_HINT_UNKNOWN_INPUT",
    s"The hint $hint names `$name`, but no input of the joins below it has this name. Allowed: ${listed(allowed)}. " +
      "Use the alias of an input, or the name of its table or view."
  )

  def ambiguousInput(hint: String, name: String, found: Seq[String]): HintError = new HintError(
    "STREAMON_HINT_AMBIGUOUS_INPUT",
    s"The hint $hint names `$name`, but several inputs match this name: ${listed(found)}. Write the full name, or " +
      "give each input its own alias."
  )

  def staticInput(hint: String, name: String, allowed: Seq[String]): HintError = new HintError(
    "STREAMON_HINT_STATIC_INPUT",
    s"The hint $hint names `$name`, which is not a stream. Allowed: ${listed(allowed)}. Remove `$name` from the " +
      "hint. Spark joins it as usual."
  )

  def tooFewStreams(hint: String, text: String, found: Seq[String]): HintError = new HintError(
    "STREAMON_HINT_TOO_FEW_STREAMS",
    s"$text needs a join of at least two streams. Streams found: ${listed(found)}. Put $hint into the block that " +
      "joins the streams."
  )

  def inputTwice(text: String, name: String): HintError = new HintError(
    "STREAMON_HINT_INPUT_TWICE",
    s"$text names `$name` twice. Allowed: two or more inputs, each once. To join a stream with itself, give each " +
      "side its own alias and name both."
  )

  def badOption(hint: String, problem: String): HintError = new HintError(
    "STREAMON_HINT_BAD_OPTION",
    s"The hint $hint has an invalid option: $problem Write an allowed option, or leave it out to use the setting of " +
      "the session."
  )

  def badCache(forced: Seq[Int], inputs: Int): HintError = new HintError(
    "STREAMON_CACHE_NOT_JOINED",
    s"spark.streamon.join.caching.forced names the inputs ${forced.mkString("+")} of an MJoin of $inputs inputs. " +
      s"Allowed: two to ${inputs - 1} of the inputs 0 to ${inputs - 1} that are joined with each other. EXPLAIN " +
      "shows the numbers of the inputs."
  )

  def unsupportedWindow(hint: String, text: String): HintError = new HintError(
    "STREAMON_HINT_UNSUPPORTED_WINDOW",
    s"The hint $hint has the window '$text', which is not supported. Allowed: $allowedWindows."
  )

  def badWindow(hint: String, text: String, why: String): HintError = new HintError(
    "STREAMON_HINT_BAD_WINDOW",
    s"The hint $hint has the invalid window '$text': $why. Allowed: $hint(c, 'RANGE 10 MINUTES'), with an interval " +
      s"above zero in weeks, days or smaller units; $hint(c, 'ROWS 1000'); $hint(c, 'PARTITION BY cid ROWS 4')."
  )

  private val allowedWindows = "'RANGE 10 MINUTES', with an interval; 'ROWS 1000', with a number of rows; " +
    "'PARTITION BY cid ROWS 4', with columns and a number of rows for each of their values"

  def unknownColumn(hint: String, name: String, input: String, allowed: Seq[String]): HintError =
    new HintError(
      "STREAMON_HINT_UNKNOWN_COLUMN",
      s"The hint $hint names `$name`, which is not a column of `$input`. Allowed: ${listed(allowed)}. Name columns " +
        "of this input. Expressions are not allowed."
    )

  def noOrder(hint: String, name: String, text: String, input: String, allowed: Seq[String]): HintError =
    new HintError(
      "STREAMON_HINT_NO_ORDER",
      s"The hint $hint asks for the window '$text' on `$name`, but `$input` has no timestamp column with a " +
        "watermark, so its rows have no stable order. Every stream of the join needs one for a window of rows. " +
        s"Inputs that have one: ${listed(allowed)}. Call withWatermark on `$input` before the join."
    )

  /** @param why
    *   a sentence or several
    */
  def rowsNotJoined(hint: String, name: String, text: String, why: String): HintError = new HintError(
    "STREAMON_HINT_ROWS_NOT_JOINED",
    s"The hint $hint asks for the window '$text' on `$name`, but no MJoin can keep it. $why Allowed: one window of " +
      "rows for each input, in an inner join of streams that are connected by conditions, with the RocksDB state " +
      "store and spark.streamon.enabled=true. Spark's own joins have no windows of rows. Change the query, or " +
      "remove the hint."
  )

  def noJoin(hint: String, text: String): HintError = new HintError(
    "STREAMON_HINT_NO_JOIN",
    s"$text has no join below it. Put $hint into the block that joins its inputs."
  )

  def noEventTime(hint: String, name: String, allowed: Seq[String]): HintError = new HintError(
    "STREAMON_HINT_NO_EVENT_TIME",
    s"The hint $hint asks for a RANGE window on `$name`, which has no timestamp column with a watermark. Inputs that " +
      s"have one: ${listed(allowed)}. If `$name` is a stream, call withWatermark on it before the join. If it is a " +
      "table, replace the hint by a condition on the timestamps."
  )

  def severalEventTimes(hint: String, name: String, found: Seq[String]): HintError = new HintError(
    "STREAMON_HINT_SEVERAL_EVENT_TIMES",
    s"The hint $hint asks for a window on `$name`, which has several timestamp columns with a watermark: " +
      s"${listed(found)}. Select one of them, or join the streams that they come from in the same block."
  )

  def nothingToMeasure(hint: String, name: String): HintError = new HintError(
    "STREAMON_HINT_NO_EVENT_TIME",
    s"The hint $hint asks for a RANGE window on `$name`, but no other input has a timestamp column with a watermark. " +
      s"Rows leave the window of `$name` by the event times of the other inputs. Call withWatermark on another " +
      "stream before the join."
  )

  def windowNotInner(hint: String, name: String, other: String, join: String): HintError = new HintError(
    "STREAMON_HINT_WINDOW_NOT_INNER",
    s"The hint $hint asks for a RANGE window on `$name`, but a $join JOIN stands between it and `$other`. Allowed: " +
      "INNER. Write a condition on the timestamps instead of the hint, or join these streams in another block."
  )

  /** @param why
    *   without a full stop
    */
  def badConstraint(text: String, why: String): HintError = new HintError(
    "STREAMON_HINT_BAD_CONSTRAINT",
    s"The hint $text is invalid: $why. Allowed: UNIQUE(b, pid), with one or more columns of b; or " +
      s"K_CONSTRAINT('RIDS', c, b, 1000), with a kind (${ConstraintKind.all.map(_.name).mkString(", ")}), a parent, " +
      "another input as its child, and k, a whole number from 0 on."
  )

  def constraintNotJoined(text: String, why: String, joined: Seq[String]): HintError = new HintError(
    "STREAMON_CONSTRAINT_NOT_JOINED",
    s"The hint $text does not fit the joins: $why. Joins found: ${listed(joined)}. UNIQUE needs columns that belong " +
      "to one join key of their input, without expressions. K_CONSTRAINT needs two inputs that share exactly one " +
      "join key. Floating-point columns are not allowed in such a key. Name other columns or inputs, or remove the " +
      "hint."
  )

  def constraintOfJoin(text: String, name: String): HintError = new HintError(
    "STREAMON_CONSTRAINT_OF_JOIN",
    s"The hint $text names `$name`, which is itself a join of streams. Allowed: streams. Put the hint into the block " +
      "that joins them."
  )

  def constraintOfRows(text: String): HintError = new HintError(
    "STREAMON_CONSTRAINT_OF_ROWS",
    s"The hint $text declares a constraint, but constraints are not used in a join with windows of rows. Allowed: " +
      "windows such as 'RANGE 10 MINUTES', or no windows. Remove this hint, or the windows of rows."
  )

  def constraintTwice(texts: Seq[String]): HintError = new HintError(
    "STREAMON_CONSTRAINT_TWICE",
    s"${texts.mkString(" and ")} declare the same constraint with different k. Allowed: one k for each kind, parent " +
      "and child. Remove all but one. The smaller k is the stronger claim."
  )

  private def listed(names: Seq[String]): String =
    if (names.isEmpty) "none" else names.map(n => s"`$n`").mkString(", ")
}
