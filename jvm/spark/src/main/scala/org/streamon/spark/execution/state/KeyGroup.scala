package org.streamon.spark.execution.state

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.streamon.core.constraints.KeyRows

/** The rows of all inputs with one key of one dimension. Two rows have the same key in a dimension if they
  * are in the same group. Slots are those of a [[Synopsis]].
  *
  * @param code
  *   the number of the key, as [[KeyNumber]] has it
  * @param number
  *   a number that no other group of the mirror ever has
  */
final class KeyGroup(val key: UnsafeRow, n: Int, code: Long, val number: Long) extends KeyRows(n, code)
