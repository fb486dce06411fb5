package org.streamon.spark.planning

import org.apache.spark.sql.catalyst.expressions.{And, Expression, PredicateHelper}
import org.apache.spark.sql.execution.{FilterExec, SparkPlan}
import org.streamon.spark.expressions.{Conjunct, MayRaise, StaticCost}

/** Of the filter right below Python functions, the conjuncts that cost as much as these: they may as well be
  * evaluated after the functions.
  *
  * @param taken
  *   from the filter, as they are written
  * @param child
  *   what is left of it
  */
private[planning] final case class DearConjuncts(taken: Seq[Expression], child: SparkPlan)

private[planning] object DearConjuncts extends PredicateHelper {

  /** Nanoseconds. A call of a Python function takes no less. */
  private val DearFrom = 500.0

  def below(plan: SparkPlan): DearConjuncts = plan match {
    case Calls.Pruned(filter: FilterExec)
        if filter.condition.deterministic && !Calls.readsFunctions(filter) =>
      val conjuncts = Conjunct.inWrittenOrder(filter.condition, filter.child.output, generated = true)
      if (conjuncts.exists(isDear)) of(filter, conjuncts) else DearConjuncts(Nil, plan)
    case other => DearConjuncts(Nil, other)
  }

  private def of(filter: FilterExec, conjuncts: Seq[Conjunct]) = {
    // What stays sees rows that a conjunct drops which was written before it and is taken: it must not raise.
    val (taken, _) = conjuncts.foldRight((List.empty[Conjunct], true)) { case (c, (found, movable)) =>
      if (movable && isDear(c)) (c :: found, true) else (found, movable && !MayRaise(c.expression))
    }
    val moved = taken.flatMap(_.predicates)
    val stays = splitConjunctivePredicates(filter.condition).filterNot(moved.contains)
    DearConjuncts(
      taken.map(_.predicates.reduceLeft(And(_, _))),
      stays.reduceLeftOption(And(_, _)).fold(filter.child)(FilterExec(_, filter.child))
    )
  }

  private def isDear(conjunct: Conjunct) = StaticCost(conjunct) >= DearFrom
}
