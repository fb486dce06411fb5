package org.streamon.spark.selections

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.ConstraintHelper
import org.streamon.spark.expressions.MayRaise

/** Asks first whether columns are NULL, where a condition that may raise an error cannot be true otherwise,
  * as Spark does for a filter. Of what Spark's `InferFiltersFromConstraints` infers, these are the checks for
  * NULL.
  *
  * @param raising
  *   columns whose computation may raise an error. They are not asked
  * @param isStrict
  *   whether all conditions stay as they are written
  */
private[selections] final class InferNotNull(raising: AttributeSet, isStrict: Boolean)
    extends ConstraintHelper
    with PredicateHelper {

  /** Conjuncts in their order. Each that may raise an error checks first what all of them need. */
  def each(conjuncts: Seq[Expression]): Seq[Expression] =
    if (isStrict || !conjuncts.exists(mayRaise)) conjuncts
    else {
      val checks = notNull(conjuncts)
      conjuncts.map(c => if (mayRaise(c)) behind(checks, c) else c)
    }

  /** A condition behind the checks of what it needs. */
  def whole(condition: Expression): Expression =
    if (isStrict) condition else behind(notNull(splitConjunctivePredicates(condition)), condition)

  private def behind(checks: Seq[Expression], condition: Expression): Expression =
    checks.foldRight(condition)(And(_, _))

  private def mayRaise(e: Expression): Boolean = MayRaise(e) || e.references.exists(raising.contains)

  private def notNull(conjuncts: Seq[Expression]): Seq[Expression] =
    constructIsNotNullConstraints(ExpressionSet(conjuncts), Nil).toSeq
      .filter(check => check.children.head.nullable && !mayRaise(check))
}
