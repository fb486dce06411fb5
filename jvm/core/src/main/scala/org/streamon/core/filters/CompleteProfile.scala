package org.streamon.core.filters

/** A profile tuple that all filters have evaluated, and what an algorithm asks for of it. One object serves
  * all samples of a task.
  *
  * @param n
  *   number of filters, at most 64
  */
final class CompleteProfile(n: Int) {

  /** The tuple; its `dropPosition` is without meaning. */
  val all = new ProfileTuple(n)
  private val asked = new ProfileTuple(n)

  /** Hands an algorithm the part that it asks for, if a filter drops the tuple. */
  def offerTo(algorithm: OrderingAlgorithm): Unit = if (all.dropped != 0L) {
    val order = algorithm.plan
    var position = 0
    while ((all.dropped >>> order(position) & 1L) == 0L) position += 1
    asked.dropPosition = position
    asked.evaluated = 0L
    asked.dropped = 0L
    var r = 0
    while (r < n) {
      val bit = 1L << order(r)
      asked.evaluated |= all.evaluated & bit
      asked.dropped |= all.dropped & bit
      asked.nanos(order(r)) = all.nanos(order(r))
      r = if (r < position) r + 1 else algorithm.nextPosition(position, r, asked.dropped)
    }
    algorithm.offer(asked)
  }

  /** Nanoseconds that an order takes for the tuple. */
  def nanosInTurn(order: Array[Int]): Long = {
    var sum = 0L
    var r = 0
    var passes = true
    while (passes && r < n) {
      sum += all.nanos(order(r))
      passes = (all.dropped >>> order(r) & 1L) == 0L
      r += 1
    }
    sum
  }
}
