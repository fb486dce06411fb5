package org.streamon.spark.expressions

import java.util.regex.Pattern

import scala.util.Try

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.optimizer.NormalizeNaNAndZero
import org.apache.spark.sql.catalyst.util.StringUtils
import org.apache.spark.sql.types._

/** Whether the evaluation of an expression can raise an error. The answer is no only for the expressions in
  * the list below. Spark's own `Expression.throwable` is overridden almost nowhere, so it cannot be used.
  */
object MayRaise {
  def apply(e: Expression): Boolean = !total(e) || e.children.exists(apply)

  private def total(e: Expression): Boolean = e match {
    case _: Attribute | _: BoundReference | _: Literal                       => true
    case _: And | _: Or | _: Not | _: IsNull | _: IsNotNull | _: IsNaN       => true
    case _: EqualTo | _: EqualNullSafe | _: LessThan | _: LessThanOrEqual    => true
    case _: GreaterThan | _: GreaterThanOrEqual | _: In | _: InSet           => true
    case _: Coalesce | _: If | _: CaseWhen | _: NaNvl | _: KnownNotNull      => true
    case _: StartsWith | _: EndsWith | _: Contains | _: StringInstr          => true
    case _: Length | _: Upper | _: Lower | _: StringTrim | _: StringTrimLeft => true
    case _: StringTrimRight | _: Substring                                   => true
    case concat: Concat => concat.dataType.isInstanceOf[StringType]
    case _: Year | _: Month | _: DayOfMonth | _: DayOfWeek | _: Quarter => true
    case _: Sha2 | _: Sha1 | _: Md5 | _: Murmur3Hash | _: XxHash64      => true
    case _: GetStructField                                              => true
    // What Spark makes of floating-point columns that are equated.
    case _: NormalizeNaNAndZero | _: KnownFloatingPointNormalized => true
    case Like(_, Literal(pattern, _), escape)                     =>
      compiles(StringUtils.escapeLikeRegex(pattern.toString, escape))
    case RLike(_, Literal(pattern, _))                                      => compiles(pattern.toString)
    case cast: Cast                                                         => totalCast(cast)
    case a @ (_: Add | _: Subtract | _: Multiply) if fractional(a.dataType) => true
    case a: BinaryArithmetic => a.evalMode != EvalMode.ANSI && a.dataType.isInstanceOf[NumericType]
    case m: UnaryMinus => m.dataType.isInstanceOf[NumericType] && (!m.failOnError || fractional(m.dataType))
    case _             => false
  }

  private def compiles(regex: => String): Boolean = Try(Pattern.compile(regex)).isSuccess

  private def fractional(dataType: DataType): Boolean = dataType == FloatType || dataType == DoubleType

  /** Outside ANSI mode a text that does not parse and a number that does not fit give null or wrap around. */
  private def legacyTotal(to: DataType): Boolean = to match {
    case _: NumericType | BooleanType | DateType | TimestampType => true
    case _                                                       => plainText(to)
  }

  /** CHAR and VARCHAR are texts too, and may be too short for what is cast to them. */
  private def plainText(to: DataType): Boolean = to eq StringType

  private def totalCast(cast: Cast): Boolean = (cast.child.dataType, cast.dataType) match {
    case (from: NumericType, to: NumericType) if Cast.canUpCast(from, to)               => true
    case (_: NumericType | BooleanType | DateType | TimestampType, to) if plainText(to) => true
    case (_: StringType, BinaryType)                                                    => true
    case (_: NumericType | _: StringType | BooleanType | DateType | TimestampType, to)  =>
      cast.evalMode != EvalMode.ANSI && legacyTotal(to)
    case _ => false
  }
}
