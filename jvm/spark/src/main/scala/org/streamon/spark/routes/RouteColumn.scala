package org.streamon.spark.routes

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet, Literal}
import org.apache.spark.sql.catalyst.util.quoteIfNeeded
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String
import org.streamon.core.routes.{Attribute => RouteAttribute}

/** A column of an operator's input that the tree of a Query Mesh may look at: a number, a date, a time or a
  * boolean by thresholds, a text by equality.
  *
  * @param ordinal
  *   among the columns of the input
  */
final case class RouteColumn(column: Attribute, ordinal: Int) {
  private def dataType = column.dataType

  def isNumber: Boolean = !dataType.isInstanceOf[StringType]

  /** As trees know it. */
  def attribute: RouteAttribute = {
    val of = dataType
    RouteAttribute(quoteIfNeeded(column.name), isNumber, column.nullable, RouteColumn.literal(_, of))
  }

  /** Java code that makes a number of a value that is not null. */
  def toNumber(value: String): String = dataType match {
    case BooleanType    => s"($value ? 1.0D : 0.0D)"
    case d: DecimalType => s"((double) $value.toUnscaledLong() / ${math.pow(10, d.scale.toDouble)}D)"
    case _              => s"((double) $value)"
  }

  /** The same of a row, for interpreted evaluation. Only where it is not null. */
  def number(row: InternalRow): Double = reader.number(row, ordinal)

  @transient private lazy val reader: RouteColumn.Reader = RouteColumn.reader(dataType)

  def text(row: InternalRow): UTF8String = row.getUTF8String(ordinal)
}

object RouteColumn {

  /** Columns that are looked at. With more the sample and the searches would take longer than trees win. */
  val Most = 12

  /** The columns that trees may look at: those that conjuncts read come first. A name that several columns
    * have would say nothing to people, so these are left out.
    *
    * @param input
    *   of the operator
    * @param early
    *   those that may be read ahead of every conjunct
    * @param read
    *   those that conjuncts read
    * @param most
    *   how many at most
    */
  def of(
      input: Seq[Attribute],
      early: AttributeSet,
      read: AttributeSet,
      most: Int
  ): IndexedSeq[RouteColumn] = {
    val names = input.groupBy(_.name).view.mapValues(_.size)
    val able = input.zipWithIndex.collect {
      case (a, i) if early.contains(a) && isSupported(a.dataType) && names(a.name) == 1 => RouteColumn(a, i)
    }
    val (known, others) = able.partition(c => read.contains(c.column))
    (known ++ others).take(math.min(most, Most)).toIndexedSeq
  }

  /** Reads a number from a row without an object for it, but for decimals. */
  private trait Reader {
    def number(row: InternalRow, ordinal: Int): Double
  }

  private def reader(dataType: DataType): Reader = dataType match {
    case BooleanType            => (row, at) => if (row.getBoolean(at)) 1.0 else 0.0
    case ByteType               => (row, at) => row.getByte(at).toDouble
    case ShortType              => (row, at) => row.getShort(at).toDouble
    case IntegerType | DateType => (row, at) => row.getInt(at).toDouble
    case FloatType              => (row, at) => row.getFloat(at).toDouble
    case DoubleType             => (row, at) => row.getDouble(at)
    case d: DecimalType         =>
      val one = math.pow(10, d.scale.toDouble)
      (row, at) => row.getDecimal(at, d.precision, d.scale).toUnscaledLong.toDouble / one
    case _ => (row, at) => row.getLong(at).toDouble
  }

  private def isSupported(dataType: DataType): Boolean = dataType match {
    case ByteType | ShortType | IntegerType | LongType | FloatType | DoubleType => true
    case BooleanType | DateType | TimestampType | TimestampNTZType              => true
    case d: DecimalType => d.precision <= Decimal.MAX_LONG_DIGITS
    case _              => dataType.isInstanceOf[StringType]
  }

  private def literal(threshold: Double, dataType: DataType): String = dataType match {
    case BooleanType                                   => (threshold != 0.0).toString
    case DateType                                      => Literal(threshold.toInt, dataType).sql
    case TimestampType | TimestampNTZType              => Literal(threshold.toLong, dataType).sql
    case ByteType | ShortType | IntegerType | LongType => threshold.toLong.toString
    case _                                             => RouteText.number(threshold)
  }
}
