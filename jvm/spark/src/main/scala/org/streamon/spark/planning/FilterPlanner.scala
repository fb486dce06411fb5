package org.streamon.spark.planning

import org.apache.spark.sql.catalyst.expressions.{
  AttributeSet,
  CodegenObjectFactoryMode,
  Expression,
  LeafExpression
}
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.execution.{FilterExec, SparkPlan, WholeStageCodegenExec}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streamon.StreamonConf
import org.streamon.core.filters.OrderingAlgorithms
import org.streamon.spark.errors.Refusal
import org.streamon.spark.execution.AdaptiveFilterExec
import org.streamon.spark.expressions.{Barriers, Conjunct, MayRaise, StaticCost}
import org.streamon.spark.logical.FilterHint
import org.streamon.spark.settings.FilterSettings

/** Decides whether a filter becomes adaptive, and how. A filter is refused for the first reason that applies:
  *   1. adaptive filters are off, or need a hint that is missing;
  *   1. the query runs in Spark's real-time mode;
  *   1. fewer than two conjuncts stand behind the last one that is not deterministic;
  *   1. it has more conjuncts or columns than the operator supports;
  *   1. its conjuncts are cheap, and no hint asks for adaptation;
  *   1. errors are strict, stock Spark would interpret the filter, and a conjunct may raise an error.
  */
final class FilterPlanner(conf: SQLConf) {
  import FilterPlanner._

  /** Right: the plan of the adaptive filter. Left: why the filter stays. */
  def plan(filter: FilterExec): Either[Refusal, Planned] = {
    val hint = FilterHint.on(filter.condition)
    val settings = FilterSettings(conf, hint.getOrElse(FilterHint.none))
    for {
      _ <- Admission.of(filter, hint, conf)
      planned <- split(filter, settings)
      _ <- fits(filter, planned)
      _ <- pays(planned, hint)
      _ <- keepsErrors(planned)
    } yield planned
  }

  private def split(filter: FilterExec, settings: FilterSettings): Either[Refusal, Planned] = {
    val (ahead, behind) = Barriers.cut(filter.condition)
    val generated = generatesCode(filter)
    // What is ahead must be evaluated as it is in the whole; errors behind it may hide each other.
    val separable = ahead.forall { e =>
      !settings.strictErrors && generatesCode(FilterExec(e, filter.child)) == generated
    }
    behind
      .filter(_ => separable)
      .map { condition =>
        val conjuncts = Conjunct.inWrittenOrder(condition, filter.child.output, generated)
        Planned(ahead, condition, conjuncts, settings, generated)
      }
      .filter(_.conjuncts.size >= 2)
      .toRight(if (ahead.isEmpty) Refusal.FewerThanTwoConjuncts else Refusal.NotDeterministic)
  }

  private def fits(filter: FilterExec, planned: Planned): Either[Refusal, Unit] = {
    val read = AttributeSet(planned.conjuncts.flatMap(_.references))
    val columns = filter.child.output.count(read.contains)
    val most = if (planned.generated) OrderingAlgorithms.MostFilters else MostInterpreted
    if (planned.conjuncts.size > most) Left(Refusal.TooManyConjuncts(planned.conjuncts.size, most))
    else if (columns > MaxColumns) Left(Refusal.TooManyColumns(columns))
    else Right(())
  }

  private def pays(planned: Planned, hint: Option[FilterHint]): Either[Refusal, Unit] = {
    val gate = conf.getConf(StreamonConf.MinCost)
    val costs = planned.conjuncts.map(StaticCost(_))
    val estimate = costs.sum - costs.min
    if (Admission.isAskedFor(hint, conf) || estimate >= gate) Right(())
    else Left(Refusal.NothingExpensive(estimate, gate))
  }

  private def keepsErrors(planned: Planned): Either[Refusal, Unit] =
    if (!planned.settings.strictErrors || planned.generated) Right(())
    else
      planned.conjuncts
        .find(c => MayRaise(c.expression))
        .map(c => Refusal.StrictWithoutCodegen(c.sql))
        .toLeft(())

  /** Whether stock Spark would make this filter part of generated code; the conditions are those of
    * `CollapseCodegenStages`.
    */
  private def generatesCode(filter: FilterExec): Boolean =
    conf.wholeStageEnabled && conf.codegenFactoryMode != CodegenObjectFactoryMode.NO_CODEGEN &&
      !filter.condition.exists(e => e.isInstanceOf[CodegenFallback] && !e.isInstanceOf[LeafExpression]) &&
      !WholeStageCodegenExec.isTooManyFields(conf, filter.schema) &&
      !WholeStageCodegenExec.isTooManyFields(conf, filter.child.schema)
}

object FilterPlanner {

  /** Conjuncts that are evaluated one by one, without code for the whole stage. Spark compiles a class for
    * each, and keeps a hundred of these in an executor (`spark.sql.codegen.cache.maxEntries`): with more
    * every task would compile them all.
    */
  private[planning] val MostInterpreted = 64

  /** The generated code has a bit for each column, and a conjunct's method takes its columns as parameters.
    */
  private val MaxColumns = 64

  /** Marks what an adaptive filter has left ahead of itself: it has been decided on. */
  val keptAhead: TreeNodeTag[Unit] = TreeNodeTag[Unit]("streamon.keptAhead")

  /** How a filter becomes adaptive.
    *
    * @param ahead
    *   what stays an operator of Spark below it
    * @param conjuncts
    *   those of the condition, in written order
    */
  final case class Planned(
      ahead: Option[Expression],
      condition: Expression,
      conjuncts: Seq[Conjunct],
      settings: FilterSettings,
      generated: Boolean
  ) {
    def plan(child: SparkPlan, operatorId: Int): SparkPlan = {
      val below = ahead.fold(child) { e =>
        val stays = FilterExec(e, child)
        stays.setTagValue(keptAhead, ())
        stays
      }
      AdaptiveFilterExec(condition, settings, generated, operatorId, below)
    }
  }
}
