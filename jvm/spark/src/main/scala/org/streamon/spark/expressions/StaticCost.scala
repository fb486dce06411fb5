package org.streamon.spark.expressions

import java.util.Locale

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.objects.{Invoke, StaticInvoke}
import org.apache.spark.sql.types._

/** The estimated time of an expression on one row, in nanoseconds, from a table measured on Spark 4.2. It is
  * used for the first order, before anything is profiled, and for `filter.minCost`. Only the ranks must be
  * right.
  */
object StaticCost {
  private val Trivial = 1.0
  private val Arithmetic = 3.0
  private val StringScan = 60.0
  private val StringMake = 90.0
  private val Date = 20.0
  private val Parse = 150.0
  private val Like = 900.0
  private val Regexp = 1500.0
  private val Json = 4500.0
  private val Digest = 600.0
  private val Udf = 500.0
  private val Unknown = 100.0

  def apply(e: Expression): Double = own(e) + e.children.map(apply).sum

  def apply(conjunct: Conjunct): Double = conjunct.notNull.size * Trivial + conjunct.predicates.map(apply).sum

  private def own(e: Expression): Double = e match {
    case _: LeafExpression | _: Alias                                                    => 0
    case _: RLike | _: RegExpReplace | _: RegExpExtractBase                              => Regexp
    case _: Like | _: LikeAll | _: NotLikeAll | _: LikeAny | _: NotLikeAny               => Like
    case _: GetJsonObject | _: JsonTuple | _: JsonToStructs                              => Json
    case invoke: Invoke if invoke.functionName.toLowerCase(Locale.ROOT).contains("json") => Json
    case _: Sha2 | _: Sha1 | _: Md5                                                      => Digest
    case _: ScalaUDF                                                                     => Udf
    case _: Invoke | _: StaticInvoke                                                     => Unknown
    case _: HigherOrderFunction                                                          => Udf
    case cast: Cast                                                                      => ofCast(cast)
    case In(value, list)             => list.size * ofComparison(value.dataType)
    case InSet(value, _)             => Date + ofComparison(value.dataType)
    case c: BinaryComparison         => ofComparison(c.left.dataType)
    case _: StartsWith | _: EndsWith => Date
    case _: Contains | _: StringInstr | _: StringLocate | _: Length                        => StringScan
    case _: String2StringExpression | _: Substring | _: Concat | _: ConcatWs               => StringMake
    case _: And | _: Or | _: Not | _: IsNull | _: IsNotNull | _: IsNaN | _: GetStructField => Trivial
    case _: BinaryArithmetic | _: UnaryMinus | _: Coalesce | _: If | _: CaseWhen           => Arithmetic
    case d if d.dataType == DateType || d.children.exists(_.dataType == DateType)          => Date
    case _: UnaryMathExpression | _: BinaryMathExpression                                  => Date
    case _                                                                                 => Unknown
  }

  private def ofComparison(dataType: DataType): Double = dataType match {
    case _: StringType | BinaryType                                                 => 8
    case _: DecimalType                                                             => 8
    case _: NumericType | BooleanType | DateType | TimestampType | TimestampNTZType => 2
    case _                                                                          => StringScan
  }

  private def ofCast(cast: Cast): Double = (cast.child.dataType, cast.dataType) match {
    case (_: StringType, _: NumericType | BooleanType) => Parse
    case (_: StringType, _)                            => 2 * Parse
    case (_, _: StringType)                            => StringMake
    case (_: NumericType, _: NumericType)              => Trivial
    case _                                             => Date
  }
}
