package org.streamon.core.filters

/** Operations on an order, which is an array of filters by position. */
private[streamon] object Orders {

  def requirePermutation(order: Array[Int], n: Int): Unit =
    require(
      order.length == n && order.sorted.sameElements(0 until n),
      s"order ${order.mkString("[", ",", "]")}: expected each of 0 to ${n - 1} once"
    )

  /** The filters at the positions before `end`: a set of its own. */
  def prefix(order: Array[Int], end: Int): FilterSet = {
    val filters = new FilterSet(order.length)
    var r = 0
    while (r < end) {
      filters.add(order(r))
      r += 1
    }
    filters
  }

  /** Takes the element at `from` forward to `to` <= `from`; those between shift back by one. */
  def shift(values: Array[Int], from: Int, to: Int, offset: Int = 0): Unit = {
    val moved = values(offset + from)
    System.arraycopy(values, offset + to, values, offset + to + 1, from - to)
    values(offset + to) = moved
  }

  def exchange(values: Array[Int], a: Int, b: Int, offset: Int = 0): Unit = {
    val kept = values(offset + a)
    values(offset + a) = values(offset + b)
    values(offset + b) = kept
  }
}
