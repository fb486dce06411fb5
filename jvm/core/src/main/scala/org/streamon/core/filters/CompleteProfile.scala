package org.streamon.core.filters

/** A profile tuple that all filters have evaluated, and what an algorithm asks for of it. One object serves
  * all samples of a task.
  *
  * @param n
  *   number of filters
  */
final class CompleteProfile(n: Int) {

  /** The tuple; its `dropPosition` is without meaning. */
  val all = new ProfileTuple(n)
  private val asked = new ProfileTuple(n)

  /** Hands an algorithm the part that it asks for, if a filter drops the tuple. */
  def offerTo(algorithm: OrderingAlgorithm): Unit = if (!all.dropped.isEmpty) {
    val order = algorithm.plan
    var position = 0
    while (!all.dropped.contains(order(position))) position += 1
    asked.dropPosition = position
    asked.evaluated.clear()
    asked.dropped.clear()
    var r = 0
    while (r < n) {
      val q = order(r)
      if (all.evaluated.contains(q)) asked.evaluated.add(q)
      if (all.dropped.contains(q)) asked.dropped.add(q)
      asked.nanos(q) = all.nanos(q)
      r = if (r < position) r + 1 else algorithm.nextPosition(position, r, asked.dropped)
    }
    algorithm.offer(asked)
  }
}
