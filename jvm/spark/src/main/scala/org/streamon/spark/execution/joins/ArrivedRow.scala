package org.streamon.spark.execution.joins

import java.util.{Arrays, Comparator}

/** A row that is ready to be processed.
  *
  * @param time
  *   event time, microseconds
  * @param own
  *   whether it joins here, and is not only counted
  */
final class ArrivedRow(
    val input: Int,
    val time: Long,
    val tie: Long,
    val own: Boolean,
    val bytes: Array[Byte]
)

object ArrivedRow {

  /** @param places
    *   of the inputs among each other
    */
  def order(places: Array[Int]): Comparator[ArrivedRow] = (a, b) => {
    if (a.time != b.time) java.lang.Long.compare(a.time, b.time)
    else if (a.input != b.input) Integer.compare(places(a.input), places(b.input))
    else if (a.tie != b.tie) java.lang.Long.compare(a.tie, b.tie)
    else Arrays.compareUnsigned(a.bytes, b.bytes)
  }
}
