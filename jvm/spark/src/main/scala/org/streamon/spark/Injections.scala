package org.streamon.spark

import java.util.{Collections, WeakHashMap}

import org.apache.spark.sql.{SparkSession, SparkSessionExtensions}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{ColumnarRule, SparkPlan}
import org.apache.spark.sql.streamon.StreamonConf
import org.streamon.spark.hints.{
  ApplyConstraintHint,
  ApplyMJoinHint,
  ApplyStreamWindowHint,
  ResolveAdaptiveFilterHint,
  ResolveConstraintHint,
  ResolveMJoinHint,
  ResolveStreamWindowHint
}
import org.streamon.spark.inspection.{LogStreams, TableFunctions}
import org.streamon.spark.logical.MarkClock
import org.streamon.spark.matching.{MatchFunction, RuleFunctions}
import org.streamon.spark.matching.streams.RulesOfMicroBatch
import org.streamon.spark.planning.{MJoinStrategy, MatchRulesStrategy}
import org.streamon.spark.rules.{
  AdaptFilters,
  AdaptPythonFilters,
  CollapseStreamJoins,
  HoldIdleSources,
  FilterBelowRules,
  ShareSelections
}

/** The rules, strategies and functions that StreaMon adds to a session, with the reason for the place of
  * each. Only [[StreamonExtensions]] calls this, on a Spark that the jar is built for.
  */
object Injections {

  /** What has been injected into: each session of a JVM that is not another's clone has its own. */
  private val known =
    Collections.synchronizedMap(new WeakHashMap[SparkSessionExtensions, java.lang.Boolean])

  /** The second time does nothing. */
  def into(extensions: SparkSessionExtensions): Unit =
    if (!known.containsKey(extensions)) {
      inject(extensions)
      known.put(extensions, true)
    }

  private def inject(extensions: SparkSessionExtensions): Unit = {
    // From the first SET on, Spark refuses a bad value.
    StreamonConf.register()
    // Before Spark removes the hints that it does not know.
    extensions.injectHintResolutionRule(_ => ResolveAdaptiveFilterHint)
    extensions.injectHintResolutionRule(_ => ResolveMJoinHint)
    extensions.injectHintResolutionRule(_ => ResolveStreamWindowHint)
    extensions.injectHintResolutionRule(_ => ResolveConstraintHint)
    // Where the names in them are known. Constraints first: they stand between the other hints and the joins,
    // and are about the conditions that are written. Windows before MJOIN, which marks those they become.
    extensions.injectPostHocResolutionRule(_ => ApplyConstraintHint)
    extensions.injectPostHocResolutionRule(_ => ApplyStreamWindowHint)
    extensions.injectPostHocResolutionRule(_ => ApplyMJoinHint)
    // While the functions can be told from the times that they stand for.
    extensions.injectPostHocResolutionRule(_ => MarkClock)
    // In every micro-batch, before the optimizer.
    extensions.injectPlanNormalizationRule(session => RulesOfMicroBatch(session))
    extensions.injectPlanNormalizationRule(_ => HoldIdleSources)
    // Builds the log of queries with the first session, and tells it of streams in their own thread.
    extensions.injectPlanNormalizationRule(session => LogStreams(session))
    // Among the rules that bring filters down.
    extensions.injectOptimizerRule(_ => FilterBelowRules)
    // When no rule looks for joins any more, and before the strategies that do.
    extensions.injectPreCBORule(session => CollapseStreamJoins(session))
    // When filters are at their places and branches of a UNION ALL are no more pruned, and before scans take
    // filters and columns: those of what is shared must reach them. Cached tables are in the plan already.
    extensions.injectPreCBORule(session => ShareSelections(session))
    extensions.injectPlannerStrategy(_ => MJoinStrategy)
    extensions.injectPlannerStrategy(_ => MatchRulesStrategy)
    // Every physical plan passes here, batch, AQE stage and micro-batch, after exchanges are placed and
    // before stages are collapsed into generated code: push-down and pruning are done, and nothing later
    // looks for a FilterExec.
    extensions.injectColumnar(session => BeforeTransitions(session))
    // Under AQE the plan that EXPLAIN shows before the first stage runs has only been through these.
    extensions.injectQueryStagePrepRule(session => AdaptPythonFilters(session))
    extensions.injectQueryStagePrepRule(session => AdaptFilters(session))
    TableFunctions.all.foreach(extensions.injectTableFunction)
    extensions.injectTableFunction(MatchFunction.description)
    RuleFunctions.all.foreach(extensions.injectTableFunction)
  }
}

private case class BeforeTransitions(session: SparkSession) extends ColumnarRule {
  // Filters on Python functions first: what stays of their conditions is then an ordinary filter.
  override def preColumnarTransitions: Rule[SparkPlan] =
    plan => AdaptFilters(session)(AdaptPythonFilters(session)(plan))
}
