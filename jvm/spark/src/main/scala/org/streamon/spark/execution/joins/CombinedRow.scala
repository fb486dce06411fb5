package org.streamon.spark.execution.joins

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.catalyst.util.{ArrayData, MapData}
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types._

/** One row of each input side by side, for the conditions and the projection to read.
  *
  * @param widths
  *   columns of each input
  */
final class CombinedRow(widths: Array[Int]) extends InternalRow with NanosecondGetters {

  /** By input, the row at hand; pointed to elsewhere, row by row. */
  val rows: Array[UnsafeRow] = widths.map(new UnsafeRow(_))

  private val inputs = widths.zipWithIndex.flatMap { case (width, i) => Array.fill(width)(i) }
  private[joins] val fields = widths.flatMap(width => Array.range(0, width))

  private[joins] def row(ordinal: Int): UnsafeRow = rows(inputs(ordinal))

  override def numFields: Int = inputs.length
  override def isNullAt(i: Int): Boolean = row(i).isNullAt(fields(i))
  override def getBoolean(i: Int): Boolean = row(i).getBoolean(fields(i))
  override def getByte(i: Int): Byte = row(i).getByte(fields(i))
  override def getShort(i: Int): Short = row(i).getShort(fields(i))
  override def getInt(i: Int): Int = row(i).getInt(fields(i))
  override def getLong(i: Int): Long = row(i).getLong(fields(i))
  override def getFloat(i: Int): Float = row(i).getFloat(fields(i))
  override def getDouble(i: Int): Double = row(i).getDouble(fields(i))
  override def getDecimal(i: Int, precision: Int, scale: Int): Decimal =
    row(i).getDecimal(fields(i), precision, scale)
  override def getUTF8String(i: Int): UTF8String = row(i).getUTF8String(fields(i))
  override def getBinary(i: Int): Array[Byte] = row(i).getBinary(fields(i))
  override def getBinaryView(i: Int): BinaryView = row(i).getBinaryView(fields(i))
  override def getInterval(i: Int): CalendarInterval = row(i).getInterval(fields(i))
  override def getVariant(i: Int): VariantVal = row(i).getVariant(fields(i))
  override def getStruct(i: Int, numFields: Int): InternalRow = row(i).getStruct(fields(i), numFields)
  override def getArray(i: Int): ArrayData = row(i).getArray(fields(i))
  override def getMap(i: Int): MapData = row(i).getMap(fields(i))
  override def get(i: Int, dataType: DataType): AnyRef = row(i).get(fields(i), dataType)
  override def anyNull: Boolean = rows.exists(_.anyNull)

  override def setNullAt(i: Int): Unit = throw CombinedRow.readOnly
  override def update(i: Int, value: Any): Unit = throw CombinedRow.readOnly
  override def copy(): InternalRow = {
    val other = new CombinedRow(widths)
    for (i <- rows.indices) other.rows(i) = rows(i).copy()
    other
  }
}

object CombinedRow {
  private def readOnly = new UnsupportedOperationException("A combined row is for reading only.")
}
