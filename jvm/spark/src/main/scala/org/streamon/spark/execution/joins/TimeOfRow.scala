package org.streamon.spark.execution.joins

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

/** Where the time is by which a row expires.
  *
  * @param inKey
  *   whether `ordinal` is one of the key's, not of the row's
  * @param window
  *   whether it is a window, whose end counts
  */
final case class TimeOfRow(inKey: Boolean, ordinal: Int, window: Boolean) {

  /** Microseconds; a row whose time is null never expires. */
  def apply(key: UnsafeRow, row: UnsafeRow): Long = {
    val source = if (inKey) key else row
    if (source.isNullAt(ordinal)) Synopsis.Never
    else if (window) source.getStruct(ordinal, 2).getLong(1)
    else source.getLong(ordinal)
  }
}
