package org.streamon.spark.errors

import org.streamon.core.constraints.ConstraintKind
import org.apache.spark.sql.streamon.StreamonError

/** A hint that cannot be meant as it is written. */
final class HintError private (condition: String, text: String)
    extends StreamonError(condition, text, "42000")

object HintError {
  def unknownInput(hint: String, name: String, allowed: Seq[String]): HintError = new HintError(
    "STREAMON_HINT_UNKNOWN_INPUT",
    s"The hint $hint names `$name`, which is no input of the joins below it. Allowed: ${listed(allowed)}. " +
      "An input is called by its alias, or by the name of its table or view."
  )

  def ambiguousInput(hint: String, name: String, found: Seq[String]): HintError = new HintError(
    "STREAMON_HINT_AMBIGUOUS_INPUT",
    s"The hint $hint names `$name`, which several inputs answer to: ${listed(found)}. Write the whole name, or give " +
      "each an alias of its own."
  )

  def staticInput(hint: String, name: String, allowed: Seq[String]): HintError = new HintError(
    "STREAMON_HINT_STATIC_INPUT",
    s"The hint $hint names `$name`, which is not a stream. Allowed: ${listed(allowed)}. Leave it out of the " +
      "hint: Spark joins it as it does without."
  )

  def tooFewStreams(hint: String, text: String, found: Seq[String]): HintError = new HintError(
    "STREAMON_HINT_TOO_FEW_STREAMS",
    s"$text asks for a join of two streams or more and found ${listed(found)}. Put $hint where the streams are " +
      "joined, and name two of them at least, or none for all."
  )

  def inputTwice(text: String, name: String): HintError = new HintError(
    "STREAMON_HINT_INPUT_TWICE",
    s"$text names `$name` twice. Allowed: each input once, two of them at least. Where a stream is joined with " +
      "itself, give each of the two an alias of its own and name both."
  )

  def badOption(hint: String, problem: String): HintError = new HintError(
    "STREAMON_HINT_BAD_OPTION",
    s"The hint $hint has an option that it cannot have: $problem Write one that is allowed, or leave it out: then " +
      "the setting of the session holds."
  )

  def badCache(forced: Seq[Int], inputs: Int): HintError = new HintError(
    "STREAMON_CACHE_NOT_JOINED",
    s"spark.streamon.join.caching.forced names the inputs ${forced.mkString("+")} of an MJoin of $inputs. Allowed: " +
      s"two to ${inputs - 1} of the inputs 0 to ${inputs - 1}, as EXPLAIN numbers them, that are joined with each " +
      "other."
  )

  def unsupportedWindow(hint: String, text: String): HintError = new HintError(
    "STREAMON_HINT_UNSUPPORTED_WINDOW",
    s"The hint $hint says '$text', which is no window that there is. Allowed: $allowedWindows."
  )

  def badWindow(hint: String, text: String, why: String): HintError = new HintError(
    "STREAMON_HINT_BAD_WINDOW",
    s"The hint $hint says '$text': $why. Allowed: $hint(input, 'RANGE interval'), the interval above zero and in " +
      s"weeks, days or less, for example $hint(c, 'RANGE 10 MINUTES'); $hint(c, 'ROWS 1000'); " +
      s"$hint(c, 'PARTITION BY cid ROWS 4')."
  )

  private val allowedWindows = "'RANGE 10 MINUTES', an interval; 'ROWS 1000', a number of rows; " +
    "'PARTITION BY cid ROWS 4', a number of rows for each value of columns"

  def unknownColumn(hint: String, name: String, input: String, allowed: Seq[String]): HintError =
    new HintError(
      "STREAMON_HINT_UNKNOWN_COLUMN",
      s"The hint $hint names `$name`, which is no column of `$input`. Allowed: ${listed(allowed)}. Name columns of that input, not expressions."
    )

  def noOrder(hint: String, name: String, text: String, input: String, allowed: Seq[String]): HintError =
    new HintError(
      "STREAMON_HINT_NO_ORDER",
      s"The hint $hint asks for the window '$text' on `$name`, and `$input` has no timestamp with a watermark: its " +
        s"rows come in no stable order. Inputs that have one: ${listed(allowed)}. A window of rows needs one on " +
        "every stream of the join: give it by withWatermark, before the join."
    )

  def rowsNotJoined(hint: String, name: String, text: String, why: String): HintError = new HintError(
    "STREAMON_HINT_ROWS_NOT_JOINED",
    s"The hint $hint asks for the window '$text' on `$name`, and no MJoin keeps it: $why. Allowed: one window of " +
      "rows an input, in an inner join of streams that conditions connect, on RocksDB, with " +
      "spark.streamon.enabled. Spark's own joins have no such window, so change the query or leave the hint out."
  )

  def noJoin(hint: String, text: String): HintError = new HintError(
    "STREAMON_HINT_NO_JOIN",
    s"$text has no join below it, and is about inputs that are joined: put $hint where they are."
  )

  def noEventTime(hint: String, name: String, allowed: Seq[String]): HintError = new HintError(
    "STREAMON_HINT_NO_EVENT_TIME",
    s"The hint $hint asks for a window on `$name`, which has no timestamp with a watermark. Inputs that have one: " +
      s"${listed(allowed)}. Give a stream its event time by withWatermark, before the join; on tables write the " +
      "condition between the times."
  )

  def severalEventTimes(hint: String, name: String, found: Seq[String]): HintError = new HintError(
    "STREAMON_HINT_SEVERAL_EVENT_TIMES",
    s"The hint $hint asks for a window on `$name`, which has several timestamps with a watermark: ${listed(found)}. " +
      "Select one of them, or join the streams that they come from in the same block."
  )

  def nothingToMeasure(hint: String, name: String): HintError = new HintError(
    "STREAMON_HINT_NO_EVENT_TIME",
    s"The hint $hint asks for a window on `$name`, and no other input has a timestamp with a watermark, by which " +
      "its rows could leave the window. Give another stream its event time by withWatermark, before the join."
  )

  def windowNotInner(hint: String, name: String, other: String, join: String): HintError = new HintError(
    "STREAMON_HINT_WINDOW_NOT_INNER",
    s"The hint $hint asks for a window on `$name`, and there is a $join JOIN between it and `$other`. Allowed: " +
      "INNER. Write the condition between the times yourself, or join these streams in another block."
  )

  def badConstraint(text: String, why: String): HintError = new HintError(
    "STREAMON_HINT_BAD_CONSTRAINT",
    s"$text: $why. Allowed: UNIQUE(b, pid), one column of b or more; K_CONSTRAINT('RIDS', c, b, 1000), a kind of " +
      s"${ConstraintKind.all.map(_.name).mkString(", ")}, a parent, another input for its child, and k from 0 on, " +
      "a whole number."
  )

  def constraintNotJoined(text: String, why: String, joined: Seq[String]): HintError = new HintError(
    "STREAMON_CONSTRAINT_NOT_JOINED",
    s"$text: $why. Joined are: ${listed(joined)}. UNIQUE takes columns that are part of one key of their input, as " +
      "they are, not in expressions; K_CONSTRAINT takes two inputs that share exactly one key. Floating-point columns are no " +
      "such keys. Name those that are, or leave the hint out."
  )

  def constraintOfJoin(text: String, name: String): HintError = new HintError(
    "STREAMON_CONSTRAINT_OF_JOIN",
    s"$text: `$name` is a join of streams itself. Allowed: streams. Declare what you know of these in the block " +
      s"that joins them."
  )

  def constraintOfRows(text: String): HintError = new HintError(
    "STREAMON_CONSTRAINT_OF_ROWS",
    s"$text: constraints are not used where inputs have windows of rows. Allowed: windows 'RANGE 10 MINUTES', or " +
      "none. Leave this hint out, or the windows."
  )

  def constraintTwice(texts: Seq[String]): HintError = new HintError(
    "STREAMON_CONSTRAINT_TWICE",
    s"${texts.mkString(" and ")} declare one constraint with different k. Allowed: one k for each kind, parent " +
      "and child. Leave out one of them: the smaller k is the stronger claim."
  )

  private def listed(names: Seq[String]): String =
    if (names.isEmpty) "none" else names.map(n => s"`$n`").mkString(", ")
}
