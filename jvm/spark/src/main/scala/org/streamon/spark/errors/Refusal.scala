package org.streamon.spark.errors

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.trees.TreeNodeTag

/** Why a filter or a join was left to Spark, or does as Spark does: a code to test on, and a sentence to
  * read.
  */
sealed abstract class Refusal(val code: String, val reason: String)

object Refusal {
  val tag: TreeNodeTag[Refusal] = TreeNodeTag[Refusal]("streamon.refusal")

  case object FewerThanTwoConjuncts
      extends Refusal(
        "FEWER_THAN_TWO_CONJUNCTS",
        "There is only one condition, so there is no order to choose."
      )

  case class NothingExpensive(estimate: Double, gate: Double)
      extends Refusal(
        "NOTHING_EXPENSIVE",
        f"All conditions but the cheapest take about $estimate%.0f ns a row together, less than the gate of " +
          f"$gate%.0f ns (spark.streamon.filter.minCost). The hint ADAPTIVE_FILTER overrides the gate."
      )

  case object ModeOff
      extends Refusal("MODE_OFF", "spark.streamon.filter.mode is off. Allowed: auto, always, hint.")

  case object NoHint
      extends Refusal(
        "NO_HINT",
        "spark.streamon.filter.mode is hint and this block has no hint ADAPTIVE_FILTER."
      )

  case class TooManyConjuncts(found: Int, most: Int)
      extends Refusal(
        "TOO_MANY_CONJUNCTS",
        s"The filter has $found conditions; an order is learned for at most $most of its kind."
      )

  case class TooManyColumns(found: Int)
      extends Refusal(
        "TOO_MANY_COLUMNS",
        s"The conditions read $found columns; the generated code keeps at most 64."
      )

  case object RealTimeMode
      extends Refusal(
        "REAL_TIME_MODE",
        "The query runs in Spark's real-time mode, which allows no operators but its own."
      )

  case object NotDeterministic
      extends Refusal(
        "NOT_DETERMINISTIC",
        "Conditions that are not deterministic keep their place, and so does all that is written ahead of " +
          "them: no two conditions stand behind, or errors are strict, or only those behind must be interpreted."
      )

  case class StrictWithoutCodegen(conjunct: String)
      extends Refusal(
        "STRICT_WITHOUT_CODEGEN",
        s"spark.streamon.filter.errors is strict, `$conjunct` may raise, and Spark interprets this filter: " +
          "there it evaluates conditions even behind one that is null, which no reordering can imitate."
      )

  case object StrictFunctions
      extends Refusal(
        "STRICT_FUNCTIONS",
        "spark.streamon.filter.errors is strict: a Python function that is not called for a row cannot raise on it, " +
          "so all are called for all rows, as Spark does."
      )

  case class FunctionNotDeterministic(function: String)
      extends Refusal(
        "FUNCTION_NOT_DETERMINISTIC",
        s"The Python function `$function` is declared as not deterministic: it is called for the rows that Spark " +
          "calls it for."
      )

  case class FunctionKind(function: String, kind: String)
      extends Refusal(
        "FUNCTION_KIND",
        s"The Python function `$function` is of kind $kind. Kinds that adapt: @udf, @arrow_udf and @pandas_udf, " +
          "without iterators."
      )

  case class PickledTypes(function: String)
      extends Refusal(
        "PICKLED_TYPES",
        s"The Python function `$function` is a @udf without Arrow. Such a one adapts when it returns a boolean, a number " +
          "or a date, and takes these, text or decimals. Declare it with useArrow=True, or after the session has begun."
      )

  case class FunctionOfFunction(function: String)
      extends Refusal(
        "FUNCTION_OF_FUNCTION",
        s"The Python function `$function` is called with what others return, and not with these values as they are, or " +
          "with values of a type that the worker cannot hand on. It can hand on booleans, numbers, dates, text and " +
          "binary values; to a @pandas_udf no booleans and no whole numbers."
      )

  case class ProfiledFunctions(setting: String)
      extends Refusal(
        "PROFILED_FUNCTIONS",
        s"$setting is set: Spark profiles the functions as it calls them."
      )

  case class LegacyConversion(setting: String)
      extends Refusal(
        "LEGACY_CONVERSION",
        s"$setting is true: values are converted as in older versions of Spark."
      )

  /** Of an adaptive filter, when it is executed. */
  case object CodegenFellBack
      extends Refusal(
        "CODEGEN_FELL_BACK",
        "Spark gave up the code that it generated for this stage, as it does when a method is longer than " +
          "spark.sql.codegen.hugeMethodLimit or the code does not compile: the conditions are evaluated as they are " +
          "written. Raise the limit, or set spark.sql.codegen.wholeStage to false: without generated code they adapt."
      )

  case class RuleFailed(error: String)
      extends Refusal(
        "RULE_FAILED",
        s"Planning the adaptive filter failed, so Spark's own filter runs: $error"
      )

  case object NoJoinHint
      extends Refusal(
        "NO_MJOIN_HINT",
        "spark.streamon.join.enabled is false and no hint MJOIN names this join."
      )

  case class TooFewStreams(found: Int, least: Int)
      extends Refusal(
        "TOO_FEW_STREAMS",
        s"The tree joins $found streams; without a hint MJOIN it takes $least. Spark's own join keeps no " +
          "intermediate state for two."
      )

  case class TooManyStreams(found: Int)
      extends Refusal("TOO_MANY_STREAMS", s"The tree joins $found streams; the operator takes at most 64.")

  case class StreamsApart(found: Int, all: Int)
      extends Refusal(
        "STREAMS_APART",
        s"Windows of rows put $all streams in one order, of which only $found are joined with nothing in between."
      )

  case class SameColumn(column: String)
      extends Refusal(
        "SAME_COLUMN",
        s"Two windows of rows have the same column `$column`: a stream is joined again behind a projection that " +
          "renames its columns. Spark tells them apart by that projection, which an MJoin would take away."
      )

  case object JoinOfTables
      extends Refusal("NOT_STREAMING", "No side of the join is a stream; an MJoin joins streams.")

  case object StaticSide
      extends Refusal(
        "STATIC_SIDE",
        "One side of the join is not a stream; Spark joins it without any state."
      )

  case class NotInner(joinType: String)
      extends Refusal("NOT_INNER", s"The join is $joinType; an MJoin takes inner joins.")

  case class NotEvaluable(condition: String)
      extends Refusal(
        "NOT_EVALUABLE",
        s"`$condition` is evaluated by Python or by a subquery, which Spark does outside the join."
      )

  case class ReadsClock(condition: String)
      extends Refusal(
        "READS_CLOCK",
        s"`$condition` reads the clock: what it says depends on when rows meet, which in an MJoin is later. Select " +
          "the time as a column of an input, or compare event times."
      )

  case object NotConnected
      extends Refusal(
        "NOT_CONNECTED",
        "No key leads from some inputs to the others: there is no condition between them, or one by which Spark can " +
          "join and an MJoin cannot, such as an equality that may raise an error, or reads several inputs on one side."
      )

  case class UnsupportedKey(key: String, dataType: String)
      extends Refusal(
        "UNSUPPORTED_KEY",
        s"The key `$key` is of type $dataType, whose equal values may differ in their bytes."
      )

  def unsupportedKey(key: Expression): Refusal = UnsupportedKey(key.sql, key.dataType.sql)

  case class NoColumnFamilies(provider: String)
      extends Refusal(
        "NO_COLUMN_FAMILIES",
        s"The state store $provider has no column families. Set spark.sql.streaming.stateStore.providerClass to " +
          "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider."
      )

  case class JoinRuleFailed(error: String)
      extends Refusal("JOIN_RULE_FAILED", s"Planning the MJoin failed, so Spark's own joins run: $error")
}
