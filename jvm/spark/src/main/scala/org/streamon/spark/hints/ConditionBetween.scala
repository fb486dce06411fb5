package org.streamon.spark.hints

import org.apache.spark.sql.catalyst.expressions.{And, AttributeSet, Expression}
import org.apache.spark.sql.catalyst.plans._
import org.apache.spark.sql.catalyst.plans.logical._

/** Adds a condition between two inputs to the lowest join of a block that joins them. Projections below that
  * join are extended by the columns that the condition needs.
  */
private[hints] object ConditionBetween {

  /** Right: the block with the condition and the same output. Left: the type of the join that prevents it. */
  def apply(block: LogicalPlan, condition: Expression): Either[JoinType, LogicalPlan] =
    below(block, condition).map { added =>
      if (added.output == block.output) added else Project(block.output, added)
    }

  private def below(plan: LogicalPlan, condition: Expression): Either[JoinType, LogicalPlan] = {
    def within(child: LogicalPlan) = condition.references.subsetOf(columns(child))
    plan match {
      case join: Join if within(join.left)  => below(join.left, condition).map(l => join.copy(left = l))
      case join: Join if within(join.right) => below(join.right, condition).map(r => join.copy(right = r))
      case join: Join                       => on(join, condition)
      case other => below(other.children.head, condition).map(child => other.withNewChildren(Seq(child)))
    }
  }

  private def on(join: Join, condition: Expression): Either[JoinType, LogicalPlan] = {
    val wanted = condition.references
    val (left, right) = (offering(join.left, wanted), offering(join.right, wanted))
    val inBetween =
      if (join.joinType.isInstanceOf[InnerLike])
        between(join.left, wanted).orElse(between(join.right, wanted))
      else Some(join.joinType)
    if (inBetween.nonEmpty) Left(inBetween.head)
    else {
      val both = join.condition.fold(condition)(And(_, condition))
      Right(join.copy(left = left, right = right, condition = Some(both)))
    }
  }

  /** A join on the way from a plan down to the inputs that have wanted columns which does not hand on their
    * rows as they are: it puts nulls in their place, or leaves them out.
    */
  private def between(plan: LogicalPlan, wanted: AttributeSet): Option[JoinType] = plan match {
    case join: Join =>
      val (ofLeft, ofRight) = (reads(join.left, wanted), reads(join.right, wanted))
      val handsOn = join.joinType match {
        case _: InnerLike                    => true
        case LeftOuter | LeftSemi | LeftAnti => !ofRight
        case RightOuter                      => !ofLeft
        case _                               => false
      }
      if (!handsOn && (ofLeft || ofRight)) Some(join.joinType)
      else between(join.left, wanted).orElse(between(join.right, wanted))
    case other => if (reads(other, wanted)) other.children.headOption.flatMap(between(_, wanted)) else None
  }

  private def reads(plan: LogicalPlan, wanted: AttributeSet) = wanted.exists(columns(plan).contains)

  /** The plan with those of the wanted columns that its inputs have. */
  private def offering(plan: LogicalPlan, wanted: AttributeSet): LogicalPlan = {
    val missing = wanted.filter(columns(plan).contains) -- plan.outputSet
    if (missing.isEmpty) plan
    else
      plan match {
        case Project(list, child) => Project(list ++ missing, offering(child, missing))
        case other                => other.mapChildren(offering(_, missing))
      }
  }

  private def columns(plan: LogicalPlan): AttributeSet =
    AttributeSet(JoinInputs.of(plan).flatMap(_.plan.output))
}
