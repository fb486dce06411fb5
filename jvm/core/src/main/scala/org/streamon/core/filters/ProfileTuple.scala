package org.streamon.core.filters

/** What the profiler learnt from one sampled tuple that was dropped. One object serves all samples of a task.
  *
  * @param n
  *   number of filters
  */
final class ProfileTuple(n: Int) {

  /** Position in the order at which the tuple was dropped. */
  var dropPosition: Int = 0

  /** The filters that were evaluated, in turn or artificially. */
  val evaluated: FilterSet = new FilterSet(n)

  /** Those of them that drop the tuple. */
  val dropped: FilterSet = new FilterSet(n)

  /** Nanoseconds taken by filter q; meaningful where `evaluated` has it. */
  val nanos: Array[Long] = new Array[Long](n)

  /** Nanoseconds that the way to a block takes (see [[BlockOrdering]]). */
  var blockNanos: Long = 0L

  /** Nanoseconds that an order takes for the tuple, of which every filter has been evaluated that it comes
    * to.
    */
  def nanosInTurn(order: Array[Int]): Long = {
    var sum = 0L
    var r = 0
    var passes = true
    while (passes && r < order.length) {
      sum += nanos(order(r))
      passes = !dropped.contains(order(r))
      r += 1
    }
    sum
  }
}
