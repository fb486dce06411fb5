package org.streamon.spark.execution.state

import org.apache.spark.sql.catalyst.expressions.{Expression, UnsafeRow, XXH64}
import org.apache.spark.sql.types._

/** Assigns a number to each key. For a key of one integer or time column it is the value itself, so numbers
  * have the order of the keys. For other keys it is a hash of the bytes.
  */
sealed abstract class KeyNumber(val ordered: Boolean) extends Serializable {
  def apply(key: UnsafeRow): Long
}

object KeyNumber {

  /** @param parts
    *   of a key
    */
  def of(parts: Seq[Expression]): KeyNumber = parts.map(_.dataType) match {
    case Seq(LongType | TimestampType | TimestampNTZType) => Longs
    case Seq(IntegerType | DateType)                      => Ints
    case _                                                => Hashes
  }

  private case object Longs extends KeyNumber(ordered = true) {
    override def apply(key: UnsafeRow): Long = if (key.isNullAt(0)) Long.MinValue else key.getLong(0)
  }

  private case object Ints extends KeyNumber(ordered = true) {
    override def apply(key: UnsafeRow): Long = if (key.isNullAt(0)) Long.MinValue else key.getInt(0).toLong
  }

  private case object Hashes extends KeyNumber(ordered = false) {
    override def apply(key: UnsafeRow): Long =
      XXH64.hashUnsafeBytes(key.getBaseObject, key.getBaseOffset, key.getSizeInBytes, 42L)
  }
}
