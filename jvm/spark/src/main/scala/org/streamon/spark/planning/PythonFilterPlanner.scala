package org.streamon.spark.planning

import org.apache.spark.sql.catalyst.expressions.{And, Attribute, AttributeSet, Expression}
import org.apache.spark.sql.execution.{FilterExec, SparkPlan}
import org.apache.spark.sql.internal.SQLConf
import org.streamon.core.filters.OrderingAlgorithms
import org.streamon.spark.errors.Refusal
import org.streamon.spark.execution.python.AdaptivePythonFilterExec
import org.streamon.spark.logical.FilterHint
import org.streamon.spark.settings.FilterSettings

/** Decides whether a filter on results of Python functions becomes adaptive, and how. A filter is refused for
  * the first reason that applies:
  *   1. adaptive filters are off, or need a hint that is missing;
  *   1. the query runs in Spark's real-time mode;
  *   1. errors are strict, so all functions must be called for all rows;
  *   1. functions are profiled, or values are converted as in older versions of Spark;
  *   1. a function is not deterministic, is of an unsupported kind, or takes the result of another function
  *      in an unsupported way;
  *   1. fewer than two functions have conditions. With a hint, one function and an expensive conjunct without
  *      functions are enough.
  */
final class PythonFilterPlanner(conf: SQLConf) {
  import PythonFilterPlanner._

  /** The replacement of this filter and of the nodes below it that call functions, or why they stay.
    *
    * @param read
    *   what is read above it
    */
  def plan(filter: FilterExec, read: AttributeSet): Either[Refusal, Planned] = {
    val called = Calls.below(filter)
    val hint = called.hints.headOption
    val settings = FilterSettings(conf, hint.getOrElse(FilterHint.none)).withOneOrder
    for {
      _ <- Admission.of(filter, hint, conf)
      _ <- allowed(settings)
      _ <- called.conjuncts.find(!_.deterministic).map(_ => Refusal.NotDeterministic).toLeft(())
      _ <- called.functions.flatMap(called.refusal).headOption.toLeft(())
      planned <- split(called, read, settings, Admission.isAskedFor(hint, conf))
    } yield planned
  }

  private def allowed(settings: FilterSettings): Either[Refusal, Unit] =
    if (settings.strictErrors) Left(Refusal.StrictFunctions)
    else if (conf.pythonUDFProfiler.nonEmpty) Left(Refusal.ProfiledFunctions(SQLConf.PYTHON_UDF_PROFILER.key))
    else if (conf.getConf(SQLConf.PYTHON_UDF_LEGACY_PANDAS_CONVERSION_ENABLED))
      Left(Refusal.LegacyConversion(SQLConf.PYTHON_UDF_LEGACY_PANDAS_CONVERSION_ENABLED.key))
    else Right(())

  private def split(
      called: Calls,
      read: AttributeSet,
      settings: FilterSettings,
      isAskedFor: Boolean
  ): Either[Refusal, Planned] = {
    val (asked, behind) = called.conjuncts.partition(called.asks)
    val above = read ++ AttributeSet(behind.flatMap(_.references))
    val predicates = called.functions.count(f => asked.exists(_.references.contains(f.result)))
    val dear =
      if (called.joinOthers) DearConjuncts.below(called.child, called.hints.headOption)
      else DearConjuncts(Nil, called.child)
    val all = predicates + dear.taken.size
    if (predicates < (if (isAskedFor) 1 else 2) || all < 2) Left(Refusal.FewerThanTwoConjuncts)
    else if (dear.taken.size > FilterPlanner.MostInterpreted)
      Left(Refusal.TooManyConjuncts(dear.taken.size, FilterPlanner.MostInterpreted))
    else if (all > OrderingAlgorithms.MostFilters)
      Left(Refusal.TooManyConjuncts(all, OrderingAlgorithms.MostFilters))
    else
      Right(
        Planned(called, dear, asked, behind, called.functions.map(_.result).filter(above.contains), settings)
      )
  }
}

object PythonFilterPlanner {

  /** Whether a filter reads what Python functions give. */
  def isOnFunctions(filter: FilterExec): Boolean = Calls.readsFunctions(filter)

  /** How a filter becomes adaptive.
    *
    * @param dear
    *   conjuncts without functions that take part
    * @param asked
    *   conjuncts that the worker evaluates
    * @param behind
    *   that stay a filter of Spark above it
    * @param needed
    *   results that are read above
    */
  final case class Planned(
      called: Calls,
      dear: DearConjuncts,
      asked: Seq[Expression],
      behind: Seq[Expression],
      needed: Seq[Attribute],
      settings: FilterSettings
  ) {
    def plan(operatorId: Int): SparkPlan = {
      val adaptive = AdaptivePythonFilterExec(
        dear.taken,
        called.functions.map(_.udf),
        called.functions.map(_.kind),
        called.functions.map(_.level),
        called.functions.map(_.result),
        asked,
        needed,
        settings,
        operatorId,
        dear.child
      )
      behind.reduceLeftOption(And(_, _)).fold[SparkPlan](adaptive)(FilterExec(_, adaptive))
    }
  }
}
