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
    columnOf(condition).flatMap(column => new Reader(column).read(condition, isTrue = true))

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

    def read(condition: Expression, isTrue: Boolean): Option[ColumnSelection] =
      key.flatMap(k => values(k, condition, isTrue)).map(ColumnSelection(column, _))

    /** Where a condition is true, or where it is false. It may also be null. */
    private def values(key: RegionKey, condition: Expression, isTrue: Boolean): Option[Selection[Any]] = {
      def constant(value: Any) = key.of(value)
      def all(parts: Seq[Selection[Any]]) = if (isTrue) AllOf(parts) else AnyOf(parts)
      def either(parts: Seq[Selection[Any]]) = if (isTrue) AnyOf(parts) else AllOf(parts)
      condition match {
        case TrueLiteral                => Some(all(Nil))
        case FalseLiteral               => Some(either(Nil))
        case Literal(null, BooleanType) => Some(nowhere)
        case And(left, right)           =>
          for (l <- values(key, left, isTrue); r <- values(key, right, isTrue)) yield all(Seq(l, r))
        case Or(left, right) =>
          for (l <- values(key, left, isTrue); r <- values(key, right, isTrue)) yield either(Seq(l, r))
        case Not(child)                                       => values(key, child, !isTrue)
        case IsNull(value) if is(value)                       => Some(if (isTrue) isNull else isNotNull)
        case IsNotNull(value) if is(value)                    => Some(if (isTrue) isNotNull else isNull)
        case value if is(value)                               => Some(Compare(Equal, constant(isTrue)))
        case EqualNullSafe(value, Literal(c, _)) if is(value) => Some(nullSafe(key, c, isTrue))
        case EqualNullSafe(Literal(c, _), value) if is(value) => Some(nullSafe(key, c, isTrue))
        case b: BinaryComparison                              =>
          comparison(b).map { case (how, c) =>
            if (c == null) nowhere else Compare(if (isTrue) how else opposite(how), constant(c))
          }
        case In(value, list) if is(value) && list.forall(_.isInstanceOf[Literal]) =>
          Some(oneOf(key, list.collect { case Literal(c, _) => c }, isTrue))
        case InSet(value, set) if is(value) => Some(oneOf(key, set.toSeq, isTrue))
        case StartsWith(value, Literal(prefix: UTF8String, _)) if is(value) && value.dataType == StringType =>
          Some(startsWith(prefix, isTrue))
        case _ => None
      }
    }

    private def is(e: Expression) = e.semanticEquals(column)

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

    private def nullSafe(key: RegionKey, c: Any, isTrue: Boolean): Selection[Any] =
      if (c == null) { if (isTrue) isNull else isNotNull }
      else if (isTrue) Compare(Equal, key.of(c))
      else AnyOf(Seq(Compare(NotEqual, key.of(c)), isNull))

    private def oneOf(key: RegionKey, constants: Seq[Any], isTrue: Boolean): Selection[Any] = {
      val (nulls, values) = constants.partition(_ == null)
      if (isTrue) OneOf(values.map(key.of))
      else if (nulls.nonEmpty) nowhere
      else AllOf(isNotNull +: values.map(c => Compare(NotEqual, key.of(c))))
    }

    private def startsWith(prefix: UTF8String, isTrue: Boolean): Selection[Any] = {
      val end = after(prefix)
      if (isTrue) AllOf(Compare(AtLeast, prefix) +: end.map(Compare(Less, _)).toSeq)
      else AnyOf(Compare(Less, prefix) +: end.map(Compare(AtLeast, _)).toSeq)
    }
  }

  private val isNull = Selection.IsNull
  private val isNotNull = Selection.IsNotNull
  private val nowhere: Selection[Any] = AnyOf(Nil)

  private def opposite(how: Comparison): Comparison = how match {
    case Equal    => NotEqual
    case NotEqual => Equal
    case Less     => AtLeast
    case AtMost   => Greater
    case Greater  => AtMost
    case AtLeast  => Less
  }

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
