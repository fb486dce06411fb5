package org.streamon.spark.execution.state

import java.util.Arrays

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

/** What all inputs hold of one key of one dimension: for each the newest row, which leads to the others. Two
  * rows agree in a dimension when they are of the same group.
  *
  * @param code
  *   the number of the key, as [[KeyNumber]] has it
  * @param number
  *   which no other group of the mirror ever has
  */
final class KeyGroup(val key: UnsafeRow, n: Int, val code: Long, val number: Long) {

  /** By input, a slot of its [[Synopsis]]; -1 for none. */
  val heads: Array[Int] = new Array[Int](n)
  Arrays.fill(heads, -1)

  def isEmpty: Boolean = {
    var i = 0
    while (i < heads.length && heads(i) < 0) i += 1
    i == heads.length
  }
}
