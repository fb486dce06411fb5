package org.streamon.spark.planning

import org.apache.spark.sql.catalyst.expressions.{
  And,
  AttributeSet,
  CodegenObjectFactoryMode,
  Expression,
  LeafExpression
}
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback
import org.apache.spark.sql.execution.{FilterExec, SparkPlan, WholeStageCodegenExec}
import org.apache.spark.sql.execution.datasources.v2.RealTimeStreamScanExec
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streamon.StreamonConf
import org.streamon.spark.execution.AdaptiveFilterExec

/** Decides whether a filter becomes adaptive, and how. It is refused, in this order:
  *   1. when the feature is off, or wants a hint and there is none;
  *   1. when the query runs in Spark's real-time mode;
  *   1. when no two deterministic conjuncts stand together;
  *   1. when it has more conjuncts or columns than the operator takes;
  *   1. when nothing in it is expensive and no hint says otherwise;
  *   1. in strict mode, when stock Spark would interpret it and a conjunct may raise.
  */
final class FilterPlanner(conf: SQLConf) {
  import FilterPlanner._

  /** The filters to put in the place of this one, innermost first, or why it stays. */
  def plan(filter: FilterExec): Either[Refusal, Seq[Segment]] = {
    val hint = FilterHint.on(filter.condition)
    val settings = FilterSettings(conf, hint.getOrElse(FilterHint.none))
    val generated = generatesCode(filter)
    for {
      _ <- wanted(hint)
      _ <- allowed(filter)
      segments = segmentsOf(filter, settings, generated)
      _ <- segments.collectFirst { case s if s.adaptive => () }.toRight(nothingToOrder(filter))
      _ <- fits(filter, segments)
      _ <- pays(segments, hint)
      _ <- keepsErrors(segments, settings, generated)
    } yield segments
  }

  private def wanted(hint: Option[FilterHint]): Either[Refusal, Unit] =
    conf.getConf(StreamonConf.FilterMode) match {
      case "off"                  => Left(Refusal.ModeOff)
      case "hint" if hint.isEmpty => Left(Refusal.NoHint)
      case _                      => Right(())
    }

  private def nothingToOrder(filter: FilterExec): Refusal =
    if (filter.condition.deterministic) Refusal.FewerThanTwoConjuncts else Refusal.NotDeterministic

  /** Real-time mode runs only operators that it knows by the names of their classes. */
  private def allowed(filter: FilterExec): Either[Refusal, Unit] =
    if (filter.exists(_.isInstanceOf[RealTimeStreamScanExec])) Left(Refusal.RealTimeMode) else Right(())

  private def fits(filter: FilterExec, segments: Seq[Segment]): Either[Refusal, Unit] = {
    val conjuncts = segments.map(_.conjuncts.size).max
    val columns = segments.map { s =>
      val read = AttributeSet(s.conjuncts.flatMap(_.references))
      filter.child.output.count(read.contains)
    }.max
    if (conjuncts > MaxConjuncts) Left(Refusal.TooManyConjuncts(conjuncts))
    else if (columns > MaxColumns) Left(Refusal.TooManyColumns(columns))
    else Right(())
  }

  private def pays(segments: Seq[Segment], hint: Option[FilterHint]): Either[Refusal, Unit] = {
    val gate = conf.getConf(StreamonConf.MinCost)
    val estimate = segments
      .filter(_.adaptive)
      .map { s =>
        val costs = s.conjuncts.map(StaticCost(_))
        costs.sum - costs.min
      }
      .sum
    if (hint.isDefined || conf.getConf(StreamonConf.FilterMode) == "always" || estimate >= gate) Right(())
    else Left(Refusal.NothingExpensive(estimate, gate))
  }

  private def keepsErrors(
      segments: Seq[Segment],
      settings: FilterSettings,
      generated: Boolean
  ): Either[Refusal, Unit] =
    if (!settings.strictErrors || generated) Right(())
    else
      segments
        .filter(_.adaptive)
        .flatMap(_.conjuncts)
        .find(c => MayRaise(c.expression))
        .map(c => Refusal.StrictWithoutCodegen(c.sql))
        .toLeft(())

  private def segmentsOf(filter: FilterExec, settings: FilterSettings, generated: Boolean): Seq[Segment] = {
    val runs = Barriers.runs(filter.condition, filter.child.output, generated)
    runs.map { run =>
      val condition = if (runs.size == 1) filter.condition else run.reduceLeft(And(_, _))
      val conjuncts =
        if (condition.deterministic) Conjunct.inWrittenOrder(condition, filter.child.output, generated)
        else Nil
      Segment(condition, conjuncts, settings, generated)
    }
  }

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

  /** A profile tuple has a bit for each conjunct. */
  private val MaxConjuncts = 64

  /** The generated code has a bit for each column, and a conjunct's method takes its columns as parameters.
    */
  private val MaxColumns = 64

  /** A part of a filter that becomes an operator of its own.
    *
    * @param conjuncts
    *   in written order; none where the part is not deterministic
    */
  final case class Segment(
      condition: Expression,
      conjuncts: Seq[Conjunct],
      settings: FilterSettings,
      generated: Boolean
  ) {
    def adaptive: Boolean = conjuncts.size >= 2

    def plan(child: SparkPlan, operatorId: Int): SparkPlan =
      if (adaptive) AdaptiveFilterExec(condition, settings, generated, operatorId, child)
      else FilterExec(condition, child)
  }
}
