package org.streamon.spark.hints

import org.apache.spark.sql.catalyst.analysis.UnresolvedHaving
import org.apache.spark.sql.catalyst.expressions.{And, Expression, UnaryExpression, Unevaluable}
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.types.{BooleanType, DataType}

/** Puts tags on the conjuncts of a block: of its filters, its HAVING and its joins. */
private[hints] object Marking {

  /** The block with copies of its conditions, each conjunct of which `mark` has seen. Copies, since the
    * conjuncts of a frame are shared with the frame that has no hint.
    *
    * @param below
    *   plans in the block that are left as they are
    */
  def conjuncts(block: LogicalPlan, below: Seq[LogicalPlan] = Nil)(mark: Expression => Unit): LogicalPlan =
    AnalysisHelper.allowInvokingTransformsInAnalyzer {
      mapConditions(mapConditions(block, below)(ToBeMarked(_)), below) {
        case ToBeMarked(condition) => marked(condition, mark)
        case other                 => other
      }
    }

  private def mapConditions(block: LogicalPlan, below: Seq[LogicalPlan])(
      f: Expression => Expression
  ): LogicalPlan =
    block.transformUp {
      case left if below.exists(_.exists(_ eq left)) => left
      case filter: Filter                            => filter.copy(condition = f(filter.condition))
      case having: UnresolvedHaving               => having.copy(havingCondition = f(having.havingCondition))
      case join: Join if join.condition.isDefined => join.copy(condition = join.condition.map(f))
    }

  private def marked(condition: Expression, mark: Expression => Unit): Expression = condition match {
    case And(left, right) => And(marked(left, mark), marked(right, mark))
    case conjunct         =>
      val copy = conjunct.clone()
      mark(copy)
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
