package org.streamon.spark.planning

import org.apache.spark.sql.catalyst.expressions.{EquivalentExpressions, Expression}

/** Work that predicates share, such as the JSON field of `j.x >= 3 AND j.x < 9`. Spark computes it once for
  * both; so must an adaptive filter, or it would be slower than Spark where that is most expensive. Two such
  * predicates are one conjunct: their order does not matter, and profiled apart the second would look as if
  * it cost nothing.
  */
object SharedWork {

  /** Estimated nanoseconds from which on work is worth sharing. */
  private val WorthSharing = 50.0

  /** Subexpressions worth sharing that both predicates evaluate whenever they are evaluated. */
  def between(first: Expression, second: Expression): Seq[Expression] = {
    val equivalent = new EquivalentExpressions
    equivalent.addExprTree(first)
    val ofFirst = new EquivalentExpressions
    ofFirst.addExprTree(first)
    equivalent.addExprTree(second)
    equivalent.getCommonSubexpressions.filter(e =>
      StaticCost(e) >= WorthSharing && ofFirst.getExprState(e).isDefined
    )
  }

  /** Joins neighbours in written order: none is moved past a conjunct that may guard it. */
  def joined(conjuncts: Seq[Conjunct]): Seq[Conjunct] =
    conjuncts.foldLeft(Vector.empty[Conjunct]) { (sofar, next) =>
      sofar.lastOption match {
        case Some(last) if shares(last, next) =>
          sofar.init :+ Conjunct(last.notNull, last.predicates ++ next.predicates)
        case _ => sofar :+ next
      }
    }

  private def shares(last: Conjunct, next: Conjunct): Boolean =
    next.notNull.forall(a => last.notNull.exists(_.exprId == a.exprId)) &&
      between(last.predicates.head, next.predicates.head).nonEmpty
}
