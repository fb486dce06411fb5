package org.streamon.spark.matching.conditions

import scala.collection.concurrent.TrieMap
import scala.util.Try

import org.apache.spark.sql.catalyst.analysis.{UnresolvedAttribute, UnresolvedFunction}
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.util.CharVarcharUtils
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types._

/** Resolves conditions of which Spark's analyzer would resolve nothing but the names: comparisons of columns
  * with constants of their types. The analyzer applies some sixty rules to each condition again and again.
  * That is most of the time of a call with thousands of rules. Rules of resolution that other extensions
  * inject do not see these conditions. Several threads may use it.
  *
  * @param analysis
  *   over the columns of the rows
  * @param texts
  *   of the conditions
  */
private[conditions] final class ResolveComparisons(analysis: Analysis, texts: Seq[String]) {
  import ResolveComparisons._

  // Of the view where the call is in one.
  private val resolver = SQLConf.get.resolver

  /** Users can put a function of theirs in its place. The analyzer is asked only where a condition has it. */
  private val isBetweenSparks = texts.exists(BetweenIn.findFirstIn(_).nonEmpty) && {
    val call = UnresolvedFunction("between", Seq.fill(3)(Literal(1)), isDistinct = false)
    analysis(Seq(call)).toOption.exists(_.expressions.exists(_.exists(_.isInstanceOf[Between])))
  }

  // Rules name the same columns again and again.
  private val known = TrieMap.empty[Seq[String], Option[Attribute]]

  /** A boolean expression, equal to the analyzer's once both are simplified. None where it is for the
    * analyzer.
    */
  def apply(parsed: Expression): Option[Expression] = parsed match {
    case And(left, right)             => for (l <- apply(left); r <- apply(right)) yield And(l, r)
    case Or(left, right)              => for (l <- apply(left); r <- apply(right)) yield Or(l, r)
    case Not(child)                   => apply(child).map(Not(_))
    case IsNull(column)               => columnOf(column).map(IsNull(_))
    case IsNotNull(column)            => columnOf(column).map(IsNotNull(_))
    case comparison: BinaryComparison => compared(comparison)
    case In(column, list)             =>
      for (c <- columnOf(column); all <- constants(c, list)) yield In(c, all)
    case f: UnresolvedFunction if isBetweenSparks && isPlain(f, "between") => between(f.arguments)
    case name: UnresolvedAttribute => columnOf(name).filter(_.dataType == BooleanType)
    case _                         => None
  }

  private def compared(comparison: BinaryComparison): Option[Expression] =
    (comparison.left, comparison.right) match {
      case (left, constant: Literal) =>
        for (c <- columnOf(left); k <- constantFor(c, constant)) yield comparison.withNewChildren(Seq(c, k))
      case (constant: Literal, right) =>
        for (c <- columnOf(right); k <- constantFor(c, constant)) yield comparison.withNewChildren(Seq(k, c))
      case _ => None
    }

  private def between(arguments: Seq[Expression]): Option[Expression] = arguments match {
    case Seq(column, bounds @ _*) if bounds.size == 2 =>
      for (c <- columnOf(column); ends <- constants(c, bounds))
        yield And(GreaterThanOrEqual(c, ends.head), LessThanOrEqual(c, ends.last))
    case _ => None
  }

  private def columnOf(e: Expression): Option[Attribute] = e match {
    case name: UnresolvedAttribute => known.getOrElseUpdate(name.nameParts, resolved(name.nameParts))
    case _                         => None
  }

  /** None where the name is ambiguous, unknown, or that of a part of a column. */
  private def resolved(name: Seq[String]): Option[Attribute] =
    Try(analysis.rows.resolve(name, resolver)).toOption.flatten.collect {
      // Spark pads texts that are compared with a CHAR.
      case a: Attribute if CharVarcharUtils.getRawType(a.metadata).isEmpty => a
    }

  private def constants(column: Attribute, list: Seq[Expression]): Option[Seq[Literal]] = {
    val found = list.flatMap(constantFor(column, _))
    Option.when(found.size == list.size)(found)
  }
}

private object ResolveComparisons {

  private val BetweenIn = "(?i)between".r

  /** From the narrowest to the widest. */
  private val Integers = Seq(ByteType, ShortType, IntegerType, LongType)

  private def isPlain(f: UnresolvedFunction, name: String): Boolean =
    f.nameParts == Seq(name) && !f.isDistinct && f.filter.isEmpty && f.ignoreNulls.isEmpty &&
      f.orderingWithinGroup.isEmpty

  /** A constant as it is compared with a column, where Spark casts no column for it. */
  private def constantFor(column: Attribute, constant: Expression): Option[Literal] = constant match {
    case k @ Literal(value, from) if value != null =>
      (from, column.dataType) match {
        case (a, b) if a == b && isScalar(a)                                                 => Some(k)
        case (a, b) if Integers.indexOf(a) >= 0 && Integers.indexOf(a) < Integers.indexOf(b) =>
          Some(Literal(Cast(k, b).eval(), b))
        case (_: DecimalType, DoubleType) => Some(Literal(Cast(k, DoubleType).eval(), DoubleType))
        case _                            => None
      }
    case _ => None
  }

  /** Whether values of a type are compared as they are. Texts of other types have a collation. */
  private def isScalar(of: DataType): Boolean = of match {
    case BooleanType | StringType | BinaryType | DateType | TimestampType | TimestampNTZType => true
    case _: NumericType                                                                      => true
    case _                                                                                   => false
  }
}
