package org.streamon.spark.planning

import org.apache.spark.sql.catalyst.expressions.{
  And,
  Attribute,
  AttributeSet,
  Expression,
  IsNotNull,
  PredicateHelper
}
import org.apache.spark.sql.execution.{FilterExec, ProjectExec, SparkPlan}
import org.streamon.spark.expressions.{Conjunct, MayRaise, StaticCost}
import org.streamon.spark.logical.FilterHint

/** The conjuncts of the filter directly below Python functions that are as expensive as the functions. They
  * can be evaluated after the functions as well.
  *
  * @param taken
  *   the conjuncts that are taken out of the filter, in written order
  * @param child
  *   the plan without them
  */
private[planning] final case class DearConjuncts(taken: Seq[Expression], child: SparkPlan)

private[planning] object DearConjuncts extends PredicateHelper {

  /** Nanoseconds. A call of a Python function takes no less. */
  private val DearFrom = 500.0

  /** @param hint
    *   of the filter above
    */
  def below(plan: SparkPlan, hint: Option[FilterHint]): DearConjuncts = plan match {
    case filter: FilterExec => of(filter, hint).getOrElse(DearConjuncts(Nil, plan))
    case ProjectExec(columns, filter: FilterExec) if columns.forall(_.isInstanceOf[Attribute]) =>
      of(filter, hint).fold(DearConjuncts(Nil, plan)) { dear =>
        val read = AttributeSet(dear.taken.flatMap(_.references)) -- plan.outputSet
        dear.copy(child = ProjectExec(columns ++ read, dear.child))
      }
    case _ => DearConjuncts(Nil, plan)
  }

  private def of(filter: FilterExec, hint: Option[FilterHint]): Option[DearConjuncts] = {
    val conjuncts = Conjunct.inWrittenOrder(filter.condition, filter.child.output, generated = true)
    // What stays sees rows that a conjunct drops which was written before it and is taken: it must not raise.
    val (taken, _) = conjuncts.foldRight((List.empty[Conjunct], true)) { case (c, (found, movable)) =>
      if (movable && isDear(c)) (c :: found, true) else (found, movable && !MayRaise(c.expression))
    }
    val mayTake = filter.condition.deterministic && !Calls.readsFunctions(filter) &&
      FilterHint.on(filter.condition).forall(hint.contains)
    Option.when(mayTake && taken.nonEmpty) {
      // Of equal ones the last are taken.
      val all = splitConjunctivePredicates(filter.condition)
      val stays = all.reverse.diff(taken.flatMap(_.predicates)).reverse
      DearConjuncts(
        taken.map(_.predicates.reduceLeft(And(_, _))),
        stays.reduceLeftOption(And(_, _)).fold(filter.child)(FilterExec(_, filter.child))
      )
    }
  }

  /** A null check is none: Spark may put it ahead of what is written before it. */
  private def isDear(conjunct: Conjunct) =
    StaticCost(conjunct) >= DearFrom && !conjunct.predicates.exists(_.isInstanceOf[IsNotNull])
}
