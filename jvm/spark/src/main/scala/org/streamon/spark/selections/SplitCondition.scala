package org.streamon.spark.selections

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.Literal.{FalseLiteral, TrueLiteral}
import org.apache.spark.sql.types.BooleanType

/** A condition as constructs of columns can answer it: it is true where one of the alternatives holds, and
  * then the residuals.
  *
  * @param alternatives
  *   what each asks of columns, all of which must hold
  * @param residuals
  *   the other conjuncts, in written order. None of them is evaluated where no alternative holds, so they
  *   raise no error that they do not raise in Spark
  */
private[selections] final case class SplitCondition(
    alternatives: Seq[Seq[ColumnSelection]],
    residuals: Seq[Expression]
) {
  def columns: Seq[Expression] = alternatives.flatten.map(_.column)

  /** Whether constructs answer it by one term over columns that are read as they are. Then no part of it
    * guards a column against another.
    */
  def isPlainTerm: Boolean =
    residuals.isEmpty && alternatives.size == 1 && columns.forall(_.isInstanceOf[Attribute])
}

private[selections] object SplitCondition extends PredicateHelper {

  /** Alternatives of a rule at most: more ORs than that are evaluated as they are. */
  private val MostAlternatives = 16

  /** @param isColumn
    *   whether a column has a construct
    * @param isBarrier
    *   whether a conjunct stays behind those written before it, and ahead of those written after it
    */
  def apply(
      condition: Expression,
      isColumn: Expression => Boolean,
      isBarrier: Expression => Boolean
  ): SplitCondition = {
    val start = SplitCondition(Seq(Nil), Nil)
    splitConjunctivePredicates(condition).foldLeft(start) { (before, conjunct) =>
      Option
        .unless(isBarrier(conjunct) || before.residuals.exists(isBarrier))(conjunct)
        .flatMap(alternatives(_, isColumn))
        .flatMap(both(before.alternatives, _))
        .fold(before.copy(residuals = before.residuals :+ conjunct)) { found =>
          before.copy(alternatives = found)
        }
    }
  }

  /** Where an expression of conditions on single columns is true. */
  private def alternatives(
      condition: Expression,
      isColumn: Expression => Boolean
  ): Option[Seq[Seq[ColumnSelection]]] =
    condition match {
      case TrueLiteral                               => Some(Seq(Nil))
      case FalseLiteral | Literal(null, BooleanType) => Some(Nil)
      case _                                         =>
        ColumnSelection.of(condition).filter(s => isColumn(s.column)).map(s => Seq(Seq(s))).orElse {
          condition match {
            case And(left, right) =>
              for (l <- alternatives(left, isColumn); r <- alternatives(right, isColumn); all <- both(l, r))
                yield all
            case Or(left, right) =>
              for (
                l <- alternatives(left, isColumn); r <- alternatives(right, isColumn);
                if l.size + r.size <= MostAlternatives
              ) yield l ++ r
            case _ => None
          }
        }
    }

  /** None where they are too many. */
  private def both(
      left: Seq[Seq[ColumnSelection]],
      right: Seq[Seq[ColumnSelection]]
  ): Option[Seq[Seq[ColumnSelection]]] =
    Option.when(left.size * right.size <= MostAlternatives)(for (l <- left; r <- right) yield l ++ r)
}
