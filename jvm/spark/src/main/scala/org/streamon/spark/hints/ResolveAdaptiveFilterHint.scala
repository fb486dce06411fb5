package org.streamon.spark.hints

import org.apache.spark.internal.Logging
import org.apache.spark.sql.catalyst.analysis.UnresolvedHaving
import org.apache.spark.sql.catalyst.expressions.{And, Expression, UnaryExpression, Unevaluable}
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.types.{BooleanType, DataType}
import org.streamon.spark.planning.FilterHint

/** Takes `ADAPTIVE_FILTER` out of the plan and marks the conjuncts of the hinted block with it. Bad options
  * make the hint void with a warning, as Spark does with hints that it does not know: the query still runs.
  */
object ResolveAdaptiveFilterHint extends Rule[LogicalPlan] with Logging {
  private val Name = "ADAPTIVE_FILTER"

  override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperatorsUp {
    case UnresolvedHint(name, parameters, block) if name.equalsIgnoreCase(Name) =>
      HintOptions.parse(parameters) match {
        case Left(problem)  => logWarning(s"$Name is ignored: $problem"); block
        case Right(options) =>
          val hinted = mark(block, FilterHint(options))
          if (hinted eq block) logWarning(s"$Name has no effect: the block that carries it has no filter.")
          hinted
      }
  }

  private def mark(block: LogicalPlan, hint: FilterHint): LogicalPlan =
    AnalysisHelper.allowInvokingTransformsInAnalyzer {
      mapConditions(mapConditions(block)(ToBeMarked(_))) {
        case ToBeMarked(condition) => marked(condition, hint)
        case other                 => other
      }
    }

  private def mapConditions(block: LogicalPlan)(f: Expression => Expression): LogicalPlan =
    block.transformUp {
      case filter: Filter                         => filter.copy(condition = f(filter.condition))
      case having: UnresolvedHaving               => having.copy(havingCondition = f(having.havingCondition))
      case join: Join if join.condition.isDefined => join.copy(condition = join.condition.map(f))
    }

  /** Marks copies: the conjuncts of a frame are shared with the frame that has no hint. */
  private def marked(condition: Expression, hint: FilterHint): Expression = condition match {
    case And(left, right) => And(marked(left, hint), marked(right, hint))
    case conjunct         =>
      val copy = conjunct.clone()
      FilterHint.mark(copy, hint)
      copy
  }
}

/** Stands around a condition for a moment. A tag is no part of equality, and a transformation that gives an
  * equal node keeps the old one: so the marked condition is put in the place of something unequal to it.
  */
private case class ToBeMarked(child: Expression) extends UnaryExpression with Unevaluable {
  override def dataType: DataType = BooleanType
  override protected def withNewChildInternal(newChild: Expression): ToBeMarked = copy(child = newChild)
}
