package org.streamon.core.constraints

import java.util.Arrays

/** What all inputs of a join hold of one key: for each the newest row, which leads to the others.
  *
  * @param code
  *   the number of the key
  */
class KeyRows(n: Int, final val code: Long) {

  /** By input, the slot of a row; -1 for none. */
  final val heads: Array[Int] = new Array[Int](n)
  Arrays.fill(heads, -1)

  final def isEmpty: Boolean = {
    var i = 0
    while (i < heads.length && heads(i) < 0) i += 1
    i == heads.length
  }
}
