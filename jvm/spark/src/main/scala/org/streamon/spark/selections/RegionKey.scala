package org.streamon.spark.selections

import org.apache.spark.sql.catalyst.expressions.Literal
import org.apache.spark.sql.catalyst.util.TypeUtils
import org.apache.spark.sql.types._

/** By what the values of a column are looked up among the constants of rules: a number, whose order is that
  * of the values, or the value itself.
  */
private[spark] sealed abstract class RegionKey {

  /** Of a value that is not null, as Spark has it in rows. */
  def of(value: Any): Any

  /** A literal of the value of a key. None for floating-point numbers, where a key has several values. */
  def literal(key: Any): Option[Literal]

  /** Of a key, where keys are numbers. */
  def wholeNumber: Option[Any => Long]

  /** Of keys. Keys of values that Spark finds equal are equal. */
  def ordering: Ordering[Any]
}

private[spark] object RegionKey {

  /** A number of 64 bits.
    *
    * @param code
    *   of a Java expression for a value, the expression for its key
    */
  final case class Number(dataType: DataType, code: String => String)(key: Any => Long) extends RegionKey {
    override def of(value: Any): Any = key(value)
    override def literal(key: Any): Option[Literal] = {
      val number = key.asInstanceOf[Long]
      val value: Option[Any] = dataType match {
        case BooleanType                                       => Some(number == 1L)
        case ByteType                                          => Some(number.toByte)
        case ShortType                                         => Some(number.toShort)
        case IntegerType | DateType | _: YearMonthIntervalType => Some(number.toInt)
        case decimal: DecimalType   => Some(Decimal(number, decimal.precision, decimal.scale))
        case FloatType | DoubleType => None
        case _                      => Some(number)
      }
      value.map(Literal(_, dataType))
    }
    def number(value: Any): Long = key(value)
    override def wholeNumber: Option[Any => Long] = Some(_.asInstanceOf[Long])
    override def ordering: Ordering[Any] = Ordering.Long.asInstanceOf[Ordering[Any]]
  }

  /** The value. */
  final case class Value(dataType: DataType) extends RegionKey {
    override def of(value: Any): Any = value
    override def literal(key: Any): Option[Literal] = Some(Literal(key, dataType))
    override def wholeNumber: Option[Any => Long] = None
    override def ordering: Ordering[Any] = TypeUtils.getInterpretedOrdering(dataType)
  }

  /** None for types whose values Spark cannot compare, or compares by a collation. */
  def of(dataType: DataType): Option[RegionKey] = dataType match {
    case BooleanType =>
      Some(Number(dataType, v => s"($v ? 1L : 0L)")(v => if (v.asInstanceOf[Boolean]) 1L else 0L))
    case ByteType | ShortType | IntegerType | DateType | _: YearMonthIntervalType | LongType | TimestampType |
        TimestampNTZType | _: DayTimeIntervalType =>
      Some(Number(dataType, v => s"((long) $v)")(_.asInstanceOf[java.lang.Number].longValue))
    case FloatType | DoubleType =>
      Some(
        Number(dataType, v => s"${getClass.getName.stripSuffix("$")}.ofDouble($v)")(v =>
          ofDouble(v.asInstanceOf[java.lang.Number].doubleValue)
        )
      )
    case decimal: DecimalType if decimal.precision <= Decimal.MAX_LONG_DIGITS =>
      Some(Number(dataType, v => s"$v.toUnscaledLong()") { v =>
        val found = v.asInstanceOf[Decimal]
        require(found.scale == decimal.scale, s"a $found of scale ${found.scale} in a column of $decimal")
        found.toUnscaledLong
      })
    // Other texts have a collation.
    case StringType | BinaryType | _: DecimalType => Some(Value(dataType))
    case _                                        => None
  }

  /** Keys have the order of the numbers in Spark: both zeros are one, and NaN is above all. */
  def ofDouble(value: Double): Long = {
    val bits = java.lang.Double.doubleToLongBits(if (value == 0.0) 0.0 else value)
    bits ^ ((bits >> 63) & Long.MaxValue)
  }
}
