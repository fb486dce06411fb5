package org.streamon.spark.execution.state

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

/** The current row, with its input and its key in each dimension.
  *
  * @param dimensions
  *   the number of dimensions
  */
final class ArrivingRow(dimensions: Int) {
  var input: Int = 0
  var row: UnsafeRow = _

  /** Its place in its own synopsis; -1 when it is not kept in memory. */
  var slot: Int = -1

  /** By dimension, its key, the number of that, and what the mirror holds of it, null for nothing; meaningful
    * where its input has a key.
    */
  val keys: Array[UnsafeRow] = new Array[UnsafeRow](dimensions)
  val codes: Array[Long] = new Array[Long](dimensions)
  val groups: Array[KeyGroup] = new Array[KeyGroup](dimensions)
}
