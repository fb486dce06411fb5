package org.streamon.core.filters

/** Independent (thesis, Section 4.5): orders by unconditional drop rate over time, as if filters were
  * independent. It profiles every remaining filter, though a lower probability serves it, and keeps the first
  * row of the matrix view only. Optimal when filters are independent; else up to O(n) worse than the Greedy
  * Invariant.
  *
  * Of a guarded filter it knows what it drops of the tuples that its guards let through.
  *
  * Parameters as those of [[AGreedy]].
  */
final class Independent(
    n: Int,
    initialOrder: Array[Int],
    window: Int = OrderingAlgorithms.DefaultWindow,
    thrashAvoidance: Double = OrderingAlgorithms.DefaultThrashAvoidance,
    precedence: Precedence,
    evidence: Int = OrderingAlgorithms.DefaultEvidence
) extends OrderingAlgorithm(n, initialOrder, precedence) {
  OrderingAlgorithms.requireThrashAvoidance(thrashAvoidance)

  private val recent = new ProfileWindow(n, window)
  private val drops = new Array[Int](n)
  private val members = new Array[Int](n)
  private val ratios = new Array[Double](n)
  private val enough = math.min(evidence, window)

  def name: String = "independent"

  def nextPosition(dropPosition: Int, after: Int, dropped: FilterSet): Int = nextUnguarded(after, dropped)

  def offer(tuple: ProfileTuple): Unit = {
    if (recent.isFull) count(recent.oldest, -1)
    recent.push(tuple)
    count(tuple.dropped, 1)
  }

  def meanNanos(q: Int): Double = recent.meanNanos(q)

  def dropRate(q: Int): Double = recent.drops.dropRate(Orders.prefix(plan, positions(q)), q)

  /** Tuples of the window that filter q drops: the first row of the view. */
  def firstRow(q: Int): Int = drops(q)

  protected def repaired(): Unit = {
    reoptimize()
    ()
  }

  private def count(dropped: FilterSet, delta: Int): Unit = {
    val count = dropped.list(members)
    var k = 0
    while (k < count) {
      drops(members(k)) += delta
      k += 1
    }
  }

  def reoptimize(): Boolean = {
    if (recent.size < enough) return false
    var q = 0
    while (q < n) {
      ratios(q) = drops(q) / recent.meanOrFloor(q)
      q += 1
    }
    val row = firstViolated()
    if (row < n) sortFrom(row)
    row < n
  }

  private def firstViolated(): Int = {
    val filters = plan
    var r = 0
    while (r < n) {
      val inPlace = ratios(filters(r))
      var c = r + 1
      while (c < n) {
        if (inPlace < thrashAvoidance * ratios(filters(c)) && mayStandAt(r, filters(c))) return r
        c += 1
      }
      r += 1
    }
    n
  }

  private def sortFrom(first: Int): Unit = {
    val next = plan.clone()
    val prefix = Orders.prefix(next, first)
    var r = first
    while (r < n) {
      var winner = -1
      var c = r
      while (c < n) {
        if (guards.allows(next(c), prefix) && (winner < 0 || ratios(next(c)) > ratios(next(winner))))
          winner = c
        c += 1
      }
      Orders.shift(next, winner, r)
      prefix.add(next(r))
      r += 1
    }
    install(next)
  }
}
