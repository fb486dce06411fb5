package org.streamon.spark.execution.state

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.streamon.core.constraints.KeyRows

/** What all inputs hold of one key of one dimension. Two rows agree in a dimension when they are of the same
  * group. Slots are those of a [[Synopsis]].
  *
  * @param code
  *   the number of the key, as [[KeyNumber]] has it
  * @param number
  *   which no other group of the mirror ever has
  */
final class KeyGroup(val key: UnsafeRow, n: Int, code: Long, val number: Long) extends KeyRows(n, code)
