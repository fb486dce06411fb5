package org.streamon.spark.selections

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.Literal.{FalseLiteral, TrueLiteral}
import org.apache.spark.sql.types.{BooleanType, StringType}
import org.apache.spark.unsafe.types.UTF8String
import org.streamon.core.selections.{Comparison, Selection}
import org.streamon.core.selections.Comparison._
import org.streamon.core.selections.Selection.{AllOf, AnyOf, Compare, OneOf}
import org.streamon.spark.expressions.{MayRaise, StaticCost}

/** What a condition asks of one column.
  *
  * @param column
  *   an attribute, or a cheap expression that cannot raise an error
  * @param selection
  *   its values for which the condition is true; constants are keys of the column ([[RegionKey]])
  */
private[selections] final case class ColumnSelection(column: Expression, selection: Selection[Any])

private[selections] object ColumnSelection {

  /** Nanoseconds beyond which an expression is no column: a construct evaluates it for every row. */
  private val MostCost = 30.0

  /** None where the condition asks no column, several, or something else of it than comparisons with
    * constants.
    */
  def of(condition: Expression): Option[ColumnSelection] =
    columnOf(condition).flatMap(column => new Reader(column).read(condition))

  /** The column of the first comparison. */
  private def columnOf(condition: Expression): Option[Expression] = condition match {
    case And(left, right)                          => columnOf(left).orElse(columnOf(right))
    case Or(left, right)                           => columnOf(left).orElse(columnOf(right))
    case Not(child)                                => columnOf(child)
    case BinaryComparison(left, _: Literal)        => Some(left)
    case BinaryComparison(_: Literal, right)       => Some(right)
    case In(value, _)                              => Some(value)
    case InSet(value, _)                           => Some(value)
    case IsNull(value)                             => Some(value)
    case IsNotNull(value)                          => Some(value)
    case StartsWith(value, _)                      => Some(value)
    case a: Attribute if a.dataType == BooleanType => Some(a)
    case _                                         => None
  }

  private def isColumn(e: Expression): Boolean = e match {
    case _: Attribute => true
    // A condition on its own, such as x LIKE '%a%' = true, is better evaluated for the rules that are alive.
    case _ => e.references.nonEmpty && e.dataType != BooleanType && StaticCost(e) <= MostCost && !MayRaise(e)
  }

  private final class Reader(column: Expression) {
    private val key = if (isColumn(column)) RegionKey.of(column.dataType) else None

    def read(condition: Expression): Option[ColumnSelection] =
      key.flatMap(k => values(k, condition)).map(ColumnSelection(column, _))

    /** Where a condition is true. NOT stands before comparisons alone: Spark has simplified the rest. */
    private def values(key: RegionKey, condition: Expression): Option[Selection[Any]] = condition match {
      case TrueLiteral                               => Some(AllOf(Nil))
      case FalseLiteral | Literal(null, BooleanType) => Some(nowhere)
      case And(left, right)      => both(key, left, right).map { case (l, r) => AllOf(Seq(l, r)) }
      case Or(left, right)       => both(key, left, right).map { case (l, r) => AnyOf(Seq(l, r)) }
      case IsNull(e) if is(e)    => Some(isNull)
      case IsNotNull(e) if is(e) => Some(isNotNull)
      case e if is(e)            => Some(Compare(Equal, key.of(true)))
      case Not(e) if is(e)       => Some(Compare(Equal, key.of(false)))
      case EqualNullSafe(e, Literal(c, _)) if is(e)      => Some(nullSafe(key, c))
      case EqualNullSafe(Literal(c, _), e) if is(e)      => Some(nullSafe(key, c))
      case Not(EqualNullSafe(e, Literal(c, _))) if is(e) => Some(notNullSafe(key, c))
      case Not(EqualNullSafe(Literal(c, _), e)) if is(e) => Some(notNullSafe(key, c))
      case Not(EqualTo(e, Literal(c, _))) if is(e)       => Some(compare(key, NotEqual, c))
      case Not(EqualTo(Literal(c, _), e)) if is(e)       => Some(compare(key, NotEqual, c))
      case b: BinaryComparison         => comparison(b).map { case (how, c) => compare(key, how, c) }
      case In(e, list) if is(e)        => literals(list).map(oneOf(key, _))
      case Not(In(e, list)) if is(e)   => literals(list).map(noneOf(key, _))
      case InSet(e, set) if is(e)      => Some(oneOf(key, set.toSeq))
      case Not(InSet(e, set)) if is(e) => Some(noneOf(key, set.toSeq))
      case StartsWith(e, Literal(prefix: UTF8String, _)) if isText(e)      => Some(startsWith(prefix))
      case Not(StartsWith(e, Literal(prefix: UTF8String, _))) if isText(e) => Some(startsOtherwise(prefix))
      case _                                                               => None
    }

    private def both(key: RegionKey, left: Expression, right: Expression) =
      for (l <- values(key, left); r <- values(key, right)) yield (l, r)

    private def literals(list: Seq[Expression]): Option[Seq[Any]] =
      Option.when(list.forall(_.isInstanceOf[Literal]))(list.collect { case Literal(c, _) => c })

    private def isText(e: Expression) = is(e) && e.dataType == StringType

    private def compare(key: RegionKey, how: Comparison, c: Any): Selection[Any] =
      if (c == null) nowhere else Compare(how, key.of(c))

    private val same = SameExpression.key(column)

    private def is(e: Expression) = SameExpression.key(e) == same

    private def comparison(b: BinaryComparison): Option[(Comparison, Any)] = b match {
      case EqualTo(e, Literal(c, _)) if is(e)            => Some(Equal -> c)
      case EqualTo(Literal(c, _), e) if is(e)            => Some(Equal -> c)
      case LessThan(e, Literal(c, _)) if is(e)           => Some(Less -> c)
      case LessThan(Literal(c, _), e) if is(e)           => Some(Greater -> c)
      case LessThanOrEqual(e, Literal(c, _)) if is(e)    => Some(AtMost -> c)
      case LessThanOrEqual(Literal(c, _), e) if is(e)    => Some(AtLeast -> c)
      case GreaterThan(e, Literal(c, _)) if is(e)        => Some(Greater -> c)
      case GreaterThan(Literal(c, _), e) if is(e)        => Some(Less -> c)
      case GreaterThanOrEqual(e, Literal(c, _)) if is(e) => Some(AtLeast -> c)
      case GreaterThanOrEqual(Literal(c, _), e) if is(e) => Some(AtMost -> c)
      case _                                             => None
    }

    private def nullSafe(key: RegionKey, c: Any): Selection[Any] =
      if (c == null) isNull else Compare(Equal, key.of(c))

    private def notNullSafe(key: RegionKey, c: Any): Selection[Any] =
      if (c == null) isNotNull else AnyOf(Seq(Compare(NotEqual, key.of(c)), isNull))

    private def oneOf(key: RegionKey, constants: Seq[Any]): Selection[Any] =
      OneOf(constants.filter(_ != null).map(key.of))

    /** A value that is not in a list with a null may be equal to it. */
    private def noneOf(key: RegionKey, constants: Seq[Any]): Selection[Any] =
      if (constants.contains(null)) nowhere
      else AllOf(isNotNull +: constants.map(c => Compare(NotEqual, key.of(c))))

    private def startsWith(prefix: UTF8String): Selection[Any] =
      AllOf(Compare(AtLeast, prefix) +: after(prefix).map(Compare(Less, _)).toSeq)

    private def startsOtherwise(prefix: UTF8String): Selection[Any] =
      AnyOf(Compare(Less, prefix) +: after(prefix).map(Compare(AtLeast, _)).toSeq)
  }

  private val isNull = Selection.IsNull
  private val isNotNull = Selection.IsNotNull
  private val nowhere: Selection[Any] = AnyOf(Nil)

  /** The least text after all that begin with a prefix, by the bytes; none after bytes that are all 255. */
  private def after(prefix: UTF8String): Option[UTF8String] = {
    val bytes = prefix.getBytes
    val last = bytes.lastIndexWhere(_ != -1)
    Option.when(last >= 0) {
      val end = bytes.take(last + 1)
      end(last) = (end(last) + 1).toByte
      UTF8String.fromBytes(end)
    }
  }
}
