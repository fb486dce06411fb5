package org.streamon.spark.execution.python

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String
import org.json4s.{JBool, JDouble, JLong, JString, JValue}
import org.json4s.JsonDSL._

/** A condition on the result of a function, in the form that the worker's `conditions` reads. */
object FunctionCondition {

  /** None when the worker cannot ask it: then the JVM does, of rows that pass all else. */
  def of(condition: Expression, result: Attribute): Option[JValue] = {
    def tree(e: Expression): Option[JValue] = e match {
      case a: Attribute if isResult(a) && a.dataType == BooleanType => Some("op" -> "result")
      case IsNull(a: Attribute) if isResult(a)                      => Some("op" -> "null")
      case IsNotNull(a: Attribute) if isResult(a)                   => Some(not("op" -> "null"))
      case Not(inner)                                               => tree(inner).map(not)
      case And(left, right)                                         => both("and", left, right)
      case Or(left, right)                                          => both("or", left, right)
      case comparison: BinaryComparison => compared(comparison).flatMap(tree).orElse(comparing(comparison))
      case In(a: Attribute, list) if isResult(a) && list.forall(_.isInstanceOf[Literal]) =>
        oneOf(list.map(_.asInstanceOf[Literal].value), a.dataType)
      case InSet(a: Attribute, values) if isResult(a) => oneOf(values.toSeq, a.dataType)
      case _                                          => None
    }

    def both(op: String, left: Expression, right: Expression) =
      for (l <- tree(left); r <- tree(right)) yield ("op" -> op) ~ ("left" -> l) ~ ("right" -> r): JValue

    // The literal goes to the right.
    def compared(comparison: BinaryComparison): Option[Expression] =
      (comparison.left, comparison.right) match {
        case (_: Literal, a: Attribute) if isResult(a) =>
          comparison match {
            case EqualTo(l, r)            => Some(EqualTo(r, l))
            case LessThan(l, r)           => Some(GreaterThan(r, l))
            case LessThanOrEqual(l, r)    => Some(GreaterThanOrEqual(r, l))
            case GreaterThan(l, r)        => Some(LessThan(r, l))
            case GreaterThanOrEqual(l, r) => Some(LessThanOrEqual(r, l))
            case _                        => None
          }
        case _ => None
      }

    def comparing(comparison: BinaryComparison): Option[JValue] = comparison match {
      case _: EqualNullSafe => None
      case BinaryComparison(a: Attribute, Literal(value, dataType))
          if isResult(a) && a.dataType == dataType =>
        literal(value, dataType).map { case (kind, json) =>
          ("op" -> comparison.symbol) ~ ("literal" -> json) ~ ("type" -> kind)
        }
      case _ => None
    }

    def isResult(a: Attribute) = a.exprId == result.exprId
    tree(condition)
  }

  private def oneOf(values: Seq[Any], dataType: DataType): Option[JValue] = {
    val literals = values.map(literal(_, dataType))
    val kinds = literals.flatten.map(_._1).distinct
    Option.when(literals.forall(_.isDefined) && kinds.size == 1 && comparesBytes(kinds.head)) {
      ("op" -> "in") ~ ("literals" -> literals.flatten.map(_._2)) ~ ("type" -> kinds.head)
    }
  }

  /** Dates come as numbers to a list, and floating-point numbers are equal by rules of their own. */
  private def comparesBytes(kind: String) = kind == "plain" || kind == "decimal"

  private def not(of: JValue): JValue = ("op" -> "not") ~ ("of" -> of)

  /** A literal, and how the worker compares with it. */
  private def literal(value: Any, dataType: DataType): Option[(String, JValue)] = (value, dataType) match {
    case (null, _)                                                  => None
    case (b: Boolean, BooleanType)                                  => Some("plain" -> JBool(b))
    case (n: Number, ByteType | ShortType | IntegerType | LongType) => Some("plain" -> JLong(n.longValue))
    case (n: Number, FloatType | DoubleType) if !n.doubleValue.isNaN && !n.doubleValue.isInfinite =>
      Some("fractional" -> JDouble(n.doubleValue))
    case (s: UTF8String, StringType) if s.isValid => Some("plain" -> JString(s.toString))
    case (d: Decimal, _: DecimalType) => Some("decimal" -> JString(d.toJavaBigDecimal.toPlainString))
    case (days: Int, DateType)        => Some("date" -> JLong(days.toLong))
    case _                            => None
  }
}
