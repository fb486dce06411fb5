package org.streamon.spark.errors

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.trees.TreeNodeTag

/** The reason why a filter, a join or conditions over the same rows are left to Spark, or do not adapt.
  *
  * @param code
  *   a stable code, for programs
  * @param reason
  *   one sentence or several, for users
  */
sealed abstract class Refusal(val code: String, val reason: String)

object Refusal {
  val tag: TreeNodeTag[Refusal] = TreeNodeTag[Refusal]("streamon.refusal")

  case object FewerThanTwoConjuncts
      extends Refusal(
        "FEWER_THAN_TWO_CONJUNCTS",
        "The filter has fewer than two conditions that can be reordered, so there is no order to choose."
      )

  case class NothingExpensive(estimate: Double, gate: Double)
      extends Refusal(
        "NOTHING_EXPENSIVE",
        f"The conditions other than the cheapest take about $estimate%.0f ns for each row. This is less than " +
          f"spark.streamon.filter.minCost, $gate%.0f ns. The hint ADAPTIVE_FILTER overrides this limit."
      )

  case object ModeOff
      extends Refusal("MODE_OFF", "spark.streamon.filter.mode is off. Allowed: auto, always, hint.")

  case object NoHint
      extends Refusal(
        "NO_HINT",
        "spark.streamon.filter.mode is hint, and this block has no hint ADAPTIVE_FILTER."
      )

  case class TooManyConjuncts(found: Int, most: Int)
      extends Refusal(
        "TOO_MANY_CONJUNCTS",
        s"The filter has $found conditions. A filter of this kind can adapt with at most $most."
      )

  case class TooManyColumns(found: Int)
      extends Refusal(
        "TOO_MANY_COLUMNS",
        s"The conditions read $found columns. The generated code supports at most 64."
      )

  case class EvaluatedRowByRow(rules: Int)
      extends Refusal(
        "EVALUATED_ROW_BY_ROW",
        s"Rules without a look-up: $rules. They have no comparison of a column with a constant that can be looked up, " +
          "joined by AND, so their conditions are evaluated for every row."
      )

  case object OneColumn
      extends Refusal(
        "ONE_COLUMN",
        "The rules compare one column, so there is no order of look-ups to learn."
      )

  case object RealTimeMode
      extends Refusal(
        "REAL_TIME_MODE",
        "The query runs in Spark's real-time mode, which allows only Spark's own operators."
      )

  case object NotDeterministic
      extends Refusal(
        "NOT_DETERMINISTIC",
        "A condition that is not deterministic keeps its place, and so do all conditions written before it. The rest " +
          "cannot adapt: it has fewer than two conditions, or spark.streamon.filter.errors is strict, or Spark " +
          "can generate code only for the conditions that keep their place, or the filter is on Python functions."
      )

  case class StrictWithoutCodegen(conjunct: String)
      extends Refusal(
        "STRICT_WITHOUT_CODEGEN",
        s"spark.streamon.filter.errors is strict, `$conjunct` may raise an error, and Spark interprets this filter. " +
          "An interpreted filter evaluates further conditions after one that is null, so another order can raise " +
          "other errors."
      )

  case object StrictFunctions
      extends Refusal(
        "STRICT_FUNCTIONS",
        "spark.streamon.filter.errors is strict, so every Python function must be called for every row, as Spark " +
          "does. A function that is skipped for a row could not raise its error."
      )

  case class FunctionNotDeterministic(function: String)
      extends Refusal(
        "FUNCTION_NOT_DETERMINISTIC",
        s"The Python function `$function` is declared as not deterministic, so it must be called for the same rows " +
          "as in Spark."
      )

  case class FunctionKind(function: String, kind: String)
      extends Refusal(
        "FUNCTION_KIND",
        s"The Python function `$function` is of the kind $kind. Supported kinds: @udf, @arrow_udf and @pandas_udf, " +
          "without iterators."
      )

  case class PickledTypes(function: String)
      extends Refusal(
        "PICKLED_TYPES",
        s"The Python function `$function` is a @udf without Arrow, with types that are not supported there. A @udf " +
          "without Arrow can return booleans, numbers and dates, and take these, text and decimals. Declare it with " +
          "useArrow=True, or declare it after the session has started."
      )

  case class FunctionOfFunction(function: String)
      extends Refusal(
        "FUNCTION_OF_FUNCTION",
        s"The Python function `$function` takes the result of another function in an unsupported way. The result " +
          "must be passed on unchanged, and be a boolean, a number, a date, text or binary. Booleans and whole numbers " +
          "cannot be passed on to a @pandas_udf."
      )

  case class ProfiledFunctions(setting: String)
      extends Refusal(
        "PROFILED_FUNCTIONS",
        s"$setting is set, so Spark profiles the functions as it calls them itself. Unset it."
      )

  case class LegacyConversion(setting: String)
      extends Refusal(
        "LEGACY_CONVERSION",
        s"$setting is true, so Spark converts values as older versions did. Set it to false."
      )

  /** An adaptive filter does not adapt when it runs. */
  case object CodegenFellBack
      extends Refusal(
        "CODEGEN_FELL_BACK",
        "Spark did not use the code that it generated for this stage: a method is longer than " +
          "spark.sql.codegen.hugeMethodLimit, or the code does not compile. The conditions are evaluated in written " +
          "order. Raise the limit, or set spark.sql.codegen.wholeStage to false. Filters also adapt without generated " +
          "code."
      )

  case class RuleFailed(error: String)
      extends Refusal(
        "RULE_FAILED",
        s"Planning the adaptive filter failed, so Spark's own filter runs. Error: $error"
      )

  case object NoJoinHint
      extends Refusal(
        "NO_MJOIN_HINT",
        "spark.streamon.join.enabled is false, and no hint MJOIN names this join."
      )

  case class TooFewStreams(found: Int, least: Int)
      extends Refusal(
        "TOO_FEW_STREAMS",
        s"This part of the query joins $found streams. Without a hint MJOIN an MJoin needs at least $least. For " +
          "two streams Spark's own join keeps no intermediate state."
      )

  case class TooManyStreams(found: Int)
      extends Refusal(
        "TOO_MANY_STREAMS",
        s"This part of the query joins $found streams. An MJoin joins at most 64."
      )

  case class StreamsApart(found: Int, all: Int)
      extends Refusal(
        "STREAMS_APART",
        s"Windows of rows need all $all streams of the block in one MJoin, but only $found of them are joined " +
          "directly with each other."
      )

  case class SameColumn(column: String)
      extends Refusal(
        "SAME_COLUMN",
        s"Two inputs with windows of rows have the same column `$column`: a stream is joined with a projection of " +
          "itself that renames its columns. Read the stream twice instead."
      )

  case object JoinOfTables
      extends Refusal("NOT_STREAMING", "Neither side of the join is a stream. An MJoin joins only streams.")

  case object StaticSide
      extends Refusal(
        "STATIC_SIDE",
        "One side of the join is not a stream. Spark joins it without state."
      )

  case class NotInner(joinType: String)
      extends Refusal("NOT_INNER", s"The join is $joinType. MJoins support only inner joins.")

  case class NotEvaluable(condition: String)
      extends Refusal(
        "NOT_EVALUABLE",
        s"`$condition` contains a Python function or a subquery, which Spark evaluates outside the join."
      )

  case class ReadsClock(condition: String)
      extends Refusal(
        "READS_CLOCK",
        s"`$condition` reads the clock. Its value depends on the time at which rows are joined, and an MJoin joins " +
          "them at another time than Spark's joins. Select the time as a column of an input, or compare event times."
      )

  case object NotConnected
      extends Refusal(
        "NOT_CONNECTED",
        "No join key connects some inputs with the others. Either no condition connects them, or an MJoin cannot use " +
          "the condition as a key, although Spark can: an equality that may raise an error, or that reads several " +
          "inputs on one side."
      )

  case class UnsupportedKey(key: String, dataType: String)
      extends Refusal(
        "UNSUPPORTED_KEY",
        s"The join key `$key` is of the type $dataType. Equal values of this type can have different bytes."
      )

  def unsupportedKey(key: Expression): Refusal = UnsupportedKey(key.sql, key.dataType.sql)

  case class NoColumnFamilies(provider: String)
      extends Refusal(
        "NO_COLUMN_FAMILIES",
        s"The state store $provider has no column families, which MJoins need. Set " +
          "spark.sql.streaming.stateStore.providerClass to " +
          "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider."
      )

  case class JoinRuleFailed(error: String)
      extends Refusal(
        "JOIN_RULE_FAILED",
        s"Planning the MJoin failed, so Spark's own joins run. Error: $error"
      )

  case class TooFewConditions(found: Int, least: Int)
      extends Refusal(
        "TOO_FEW_CONDITIONS",
        s"There are $found conditions over the same rows. spark.streamon.match.share shares $least or more."
      )

  case class CheapConditions(nanos: Long, least: Int)
      extends Refusal(
        "CHEAP_CONDITIONS",
        s"The conditions of the conditional aggregates take about $nanos ns a row. Spark evaluates them as fast. " +
          s"spark.streamon.match.share shares those that take $least ns or more."
      )

  case class DifferentRows(found: Int, least: Int)
      extends Refusal(
        "DIFFERENT_ROWS",
        s"At most $found branches of the UNION ALL read the same rows and return the same columns or aggregates, apart from " +
          "constant columns and the constants of comparisons. " +
          s"spark.streamon.match.share shares $least or more."
      )

  case class UnfitCondition(condition: String, what: String)
      extends Refusal(
        "UNFIT_CONDITION",
        s"`$condition` contains $what, so it cannot be evaluated together with other conditions."
      )

  case object UnsteadyRows
      extends Refusal(
        "UNSTEADY_ROWS",
        "A branch of the UNION ALL reads rows that may be others each time: they depend on a LIMIT, a sample or an " +
          "expression that is not deterministic."
      )

  case class UnfitAggregate(function: String, what: String)
      extends Refusal(
        "UNFIT_AGGREGATE",
        s"`$function` $what. Shared are count, sum, min, max and avg without DISTINCT."
      )

  case class OrderDependent(function: String)
      extends Refusal(
        "ORDER_DEPENDENT",
        s"`$function` adds floating-point numbers, and its result depends on the order in which partial sums are added. " +
          "A shared aggregate adds them in another order. Spark averages whole numbers and short decimals in floating point."
      )

  case class TooManyFunctions(found: Int, most: Int)
      extends Refusal(
        "TOO_MANY_FUNCTIONS",
        s"The conditional aggregates have $found different functions. At most $most are shared."
      )

  case class UnfitKey(key: String, dataType: String)
      extends Refusal(
        "UNFIT_KEY",
        s"The grouping key `$key` is of the type $dataType. Equal values of this type can have different bytes."
      )

  case class MayRaiseEarly(condition: String)
      extends Refusal(
        "MAY_RAISE",
        s"`$condition` may raise an error, and the query does not evaluate it for every row. A shared condition is " +
          "evaluated for every row."
      )

  case object StreamOfRows
      extends Refusal(
        "STREAMING",
        "The rows are a stream. spark.streamon.match.share shares the conditions of batch queries only."
      )

  case class RulesTooLarge(error: String)
      extends Refusal("RULES_TOO_LARGE", s"The conditions do not fit spark.streamon.match.memory. $error")

  case class SharingFailed(error: String)
      extends Refusal(
        "SHARE_RULE_FAILED",
        s"Sharing the conditions failed, so Spark's own plan is used. Error: $error"
      )
}
