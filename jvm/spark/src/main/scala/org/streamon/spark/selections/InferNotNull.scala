package org.streamon.spark.selections

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.ConstraintHelper
import org.streamon.spark.expressions.MayRaise

/** Brings to the front that columns are not NULL, where a condition is never true otherwise, as Spark does
  * for a filter (`InferFiltersFromConstraints`). What is not evaluated for such rows raises no error.
  */
private[selections] object InferNotNull extends ConstraintHelper with PredicateHelper {

  /** A condition that raises nothing stays as it is.
    *
    * @param guarded
    *   columns that must not be read ahead of their guards
    */
  def apply(condition: Expression, guarded: AttributeSet): Expression =
    if (!MayRaise(condition)) condition
    else
      constructIsNotNullConstraints(ExpressionSet(splitConjunctivePredicates(condition)), Nil)
        .filter(notNull => notNull.children.head.nullable && !notNull.references.exists(guarded.contains))
        .foldLeft(condition)((rest, notNull) => And(notNull, rest))
}
