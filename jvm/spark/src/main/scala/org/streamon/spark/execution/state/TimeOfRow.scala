package org.streamon.spark.execution.state

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

/** The position of the time by which a row expires.
  *
  * @param dimension
  *   that of the key of which `ordinal` is a part; none when it is a column of the row
  * @param window
  *   whether it is a window, whose end counts
  */
final case class TimeOfRow(dimension: Option[Int], ordinal: Int, window: Boolean) {
  private val key = dimension.getOrElse(-1)

  /** Microseconds; a row whose time is null never expires.
    *
    * @param keys
    *   by dimension
    */
  def apply(keys: Array[UnsafeRow], row: UnsafeRow): Long = {
    val source = if (key < 0) row else keys(key)
    if (source.isNullAt(ordinal)) Synopsis.Never
    else if (window) source.getStruct(ordinal, 2).getLong(1)
    else source.getLong(ordinal)
  }
}
