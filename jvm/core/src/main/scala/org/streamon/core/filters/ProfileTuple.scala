package org.streamon.core.filters

/** What the profiler learnt from one sampled tuple that was dropped. One object serves all samples of a task.
  *
  * @param n
  *   number of filters, at most 64: a filter is a bit
  */
final class ProfileTuple(n: Int) {

  /** Position in the order at which the tuple was dropped. */
  var dropPosition: Int = 0

  /** Bit q is set when filter q was evaluated, in turn or artificially. */
  var evaluated: Long = 0L

  /** Bit q is set when filter q was evaluated and dropped the tuple. */
  var dropped: Long = 0L

  /** Nanoseconds taken by filter q; meaningful where `evaluated` has its bit. */
  val nanos: Array[Long] = new Array[Long](n)

  /** Nanoseconds that the way to a block takes (see [[BlockOrdering]]). */
  var blockNanos: Long = 0L
}
