package org.streamon.core.filters

/** LocalSwaps (thesis, Section 4.6): compares neighbours only, and exchanges two that violate. It evaluates
  * only the next filter artificially, and keeps the entries V[i][i] and V[i][i+1], so that a profile tuple
  * changes a constant number of them. It may stay in a local optimum, O(n) worse than the Greedy Invariant.
  *
  * A swap of i and i+1 leaves the rows i-1 and i+1 unknown, since their bits were not taken: they start again
  * from nothing, and are not judged before they have `evidence` tuples. Times come from a longer average.
  *
  * Parameters as those of [[AGreedy]].
  */
final class LocalSwaps(
    n: Int,
    initialOrder: Array[Int],
    window: Int = OrderingAlgorithms.DefaultWindow,
    thrashAvoidance: Double = OrderingAlgorithms.DefaultThrashAvoidance,
    precedence: Precedence,
    evidence: Int = OrderingAlgorithms.DefaultEvidence
) extends OrderingAlgorithm(n, initialOrder, precedence) {
  OrderingAlgorithms.requireThrashAvoidance(thrashAvoidance)

  private val drops = new DropRing(n, window)
  private val times = new AverageTimes(n, LocalSwaps.TimeMemory)
  private val inPlace = new Array[Int](n)
  private val neighbour = new Array[Int](n)
  private val members = new Array[Int](n)
  private val since = new Array[Long](n)
  private val enough = math.min(evidence, window)

  def name: String = "local-swaps"

  /** V[r][r] and V[r][r+1], over the tuples since the row was last cleared. */
  def inPlaceEntry(r: Int): Int = inPlace(r)
  def neighbourEntry(r: Int): Int = neighbour(r)

  /** The profile tuples that row r is over: those of the window since it was last cleared. */
  def known(r: Int): Int = math.min(drops.pushed - since(r), drops.size.toLong).toInt

  def nextPosition(dropPosition: Int, after: Int, dropped: FilterSet): Int = {
    val next = dropPosition + 1
    if (after < next && next < n && !guards.guardsOf(plan(next)).intersects(dropped)) next else n
  }

  def offer(tuple: ProfileTuple): Unit = {
    if (drops.isFull) count(drops.oldest, drops.sequence(drops.cursor), -1)
    count(tuple.dropped, drops.pushed, 1)
    drops.push(tuple.dropped)
    times.observe(tuple)
  }

  def reoptimize(): Boolean = {
    var changed = false
    var row = firstViolated()
    while (row < n) {
      swap(row)
      changed = true
      row = firstViolated()
    }
    changed
  }

  def meanNanos(q: Int): Double = times.mean(q)

  def dropRate(q: Int): Double = {
    val r = positions(q)
    drops.dropRate(Orders.prefix(plan, r), q, since(r))
  }

  protected def repaired(): Unit = {
    var r = 0
    while (r < n) {
      clear(r)
      r += 1
    }
  }

  /** A tuple first dropped at i counts in row i, and in row i - 1 as dropped by its second filter. A row that
    * has not been cleared since the tuple came knows the same of it now as then, whatever was swapped before
    * or behind it.
    */
  private def count(dropped: FilterSet, sequence: Long, delta: Int): Unit = {
    var i = n
    val count = dropped.list(members)
    var k = 0
    while (k < count) {
      i = math.min(i, positions(members(k)))
      k += 1
    }
    if (i < n && sequence >= since(i)) {
      inPlace(i) += delta
      if (i + 1 < n && dropped.contains(plan(i + 1))) neighbour(i) += delta
    }
    if (i < n && i > 0 && sequence >= since(i - 1)) neighbour(i - 1) += delta
  }

  private def firstViolated(): Int = {
    val filters = plan
    var r = 0
    while (r + 1 < n) {
      val ratio = inPlace(r) / times.meanOrFloor(filters(r))
      if (
        ratio < thrashAvoidance * neighbour(r) / times.meanOrFloor(filters(r + 1)) &&
        known(r) >= enough &&
        !guards.guardsOf(filters(r + 1)).contains(filters(r))
      ) return r
      r += 1
    }
    n
  }

  private def swap(r: Int): Unit = {
    val next = plan.clone()
    Orders.exchange(next, r, r + 1)
    install(next)
    val kept = inPlace(r)
    inPlace(r) = neighbour(r)
    neighbour(r) = kept
    if (r > 0) clear(r - 1)
    clear(r + 1)
  }

  private def clear(r: Int): Unit = {
    inPlace(r) = 0
    neighbour(r) = 0
    since(r) = drops.pushed
  }
}

private object LocalSwaps {
  val TimeMemory = 4000
}
