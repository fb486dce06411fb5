package org.streamon.spark.expressions

import org.apache.spark.sql.catalyst.expressions._

/** Work that predicates share, such as the JSON field of `j.x >= 3 AND j.x < 9`. Spark computes it once for
  * both; so must an adaptive filter, or it would be slower than Spark where that is most expensive. Two such
  * predicates are one conjunct: their order does not matter, and profiled apart the second would look as if
  * it cost nothing.
  */
object SharedWork {

  /** Estimated nanoseconds from which on work is worth sharing. */
  private val WorthSharing = 50.0

  /** Subexpressions worth sharing that the first predicate evaluates on every row, and the second too. */
  def between(first: Expression, second: Expression): Seq[Expression] = {
    val ofSecond = new EquivalentExpressions
    ofSecond.addExprTree(second)
    worthSharing(Seq(first, second), first).filter(ofSecond.getExprState(_).isDefined)
  }

  /** Subexpressions worth sharing that a predicate evaluates on every row, and more than once. */
  def within(predicate: Expression): Seq[Expression] = worthSharing(Seq(predicate), predicate)

  private def worthSharing(predicates: Seq[Expression], first: Expression): Seq[Expression] = {
    val equivalent = new EquivalentExpressions
    predicates.foreach(equivalent.addExprTree(_))
    lazy val firstEvaluates = certain(first)
    equivalent.getCommonSubexpressions
      .filter(e => StaticCost(e) >= WorthSharing && firstEvaluates.exists(_.semanticEquals(e)))
  }

  /** What an expression evaluates on every row. Behind an operand that may be null the next one may be left
    * out, so that it does not raise what it would raise; so may all but the first operand of a condition.
    */
  private def certain(e: Expression): Seq[Expression] = e match {
    case _: ConditionalExpression | _: And | _: Or | _: In | _: HigherOrderFunction =>
      e +: e.children.take(1).flatMap(certain)
    case d: DivModLike => d +: certain(d.right) // the divisor comes first
    case _             =>
      val nonNull = e.children.takeWhile(!_.nullable).size
      e +: e.children.take(nonNull + 1).flatMap(certain)
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
