package org.streamon.spark.sharing

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.Literal.TrueLiteral
import org.apache.spark.sql.catalyst.expressions.aggregate._
import org.apache.spark.sql.types._
import org.streamon.spark.errors.Refusal

/** An aggregate over the rows for which a condition holds.
  *
  * @param condition
  *   TRUE for an aggregate over all rows
  * @param otherwise
  *   the zero that a sum has for each of the other rows; none if they do not count
  */
private[sharing] final case class ConditionalAggregate(
    condition: Expression,
    function: AggregateFunction,
    otherwise: Option[Literal]
)

private[sharing] object ConditionalAggregate {

  /** Decimals with at most so many digits are averaged by Spark in floating point. */
  private val DigitsInDouble = 11

  /** Whether an aggregate is over the rows of a condition. */
  def isConditional(e: AggregateExpression): Boolean =
    e.filter.nonEmpty || e.aggregateFunction.children.exists(Case.unapply(_).nonEmpty)

  def of(e: AggregateExpression): Either[Refusal, ConditionalAggregate] = {
    val found = e.aggregateFunction match {
      case function if e.filter.nonEmpty    => ConditionalAggregate(e.filter.get, function, None)
      case Count(Seq(Case(c, value, None))) =>
        ConditionalAggregate(c, Count(Seq(if (value.nullable) value else Literal(1))), None)
      case sum: Sum =>
        sum.child match {
          case Case(c, value, zero) => ConditionalAggregate(c, over(sum, value), zero)
          case _                    => ConditionalAggregate(TrueLiteral, sum, None)
        }
      case function @ (_: Min | _: Max | _: Average) =>
        function.children.head match {
          case Case(c, value, None) => ConditionalAggregate(c, over(function, value), None)
          case _                    => ConditionalAggregate(TrueLiteral, function, None)
        }
      case function => ConditionalAggregate(TrueLiteral, function, None)
    }
    refusal(e, found.function)
      .orElse(FitConditions.refusal(found.condition +: found.function.children))
      .toLeft(found)
  }

  private def over(function: AggregateFunction, value: Expression) =
    function.withNewChildren(Seq(value)).asInstanceOf[AggregateFunction]

  /** Why an aggregate cannot be computed by group and condition. */
  def refusal(e: AggregateExpression): Option[Refusal] = refusal(e, e.aggregateFunction)

  private def refusal(e: AggregateExpression, function: AggregateFunction): Option[Refusal] =
    if (e.isDistinct) Some(Refusal.UnfitAggregate(e.sql, "is DISTINCT"))
    else
      function match {
        case _: Count | _: Min | _: Max => None
        case sum: Sum                   =>
          sum.child.dataType match {
            case FloatType | DoubleType => Some(Refusal.OrderDependent(e.sql))
            case _                      => None
          }
        case average: Average =>
          average.child.dataType match {
            case decimal: DecimalType if decimal.precision > DigitsInDouble => None
            case _ => Some(Refusal.OrderDependent(e.sql))
          }
        case _ => Some(Refusal.UnfitAggregate(e.sql, "is another function"))
      }

  /** A value where a condition holds, and elsewhere null or zero. */
  private object Case {
    def unapply(e: Expression): Option[(Expression, Expression, Option[Literal])] = e match {
      case CaseWhen(Seq((c, value)), None)        => Some((c, value, None))
      case CaseWhen(Seq((c, value)), Some(other)) => orElse(c, value, other)
      // What count_if is to Spark.
      case If(Not(c), Literal(null, _), value) if value.semanticEquals(c) => Some((c, TrueLiteral, None))
      case If(c, value, other)                                            => orElse(c, value, other)
      case _                                                              => None
    }

    private def orElse(c: Expression, value: Expression, other: Expression) = other match {
      case Literal(null, _)        => Some((c, value, None))
      case l: Literal if isZero(l) => Some((c, value, Some(l)))
      case _                       => None
    }

    private def isZero(literal: Literal) = literal.value match {
      case number: java.lang.Number => number.doubleValue == 0.0
      case decimal: Decimal         => decimal.isZero
      case _                        => false
    }
  }
}
