package org.streamon.core.filters

/** A-Greedy (thesis, Section 4.3): keeps the Greedy Invariant, that each position holds the filter with the
  * largest ratio of conditional drop rate to time among those that may stand there. It profiles every
  * remaining filter and keeps the full matrix view. Under stable input its order costs at most four times the
  * optimum (4 / thrashAvoidance with thrash avoidance).
  *
  * The correction moves the winner of a position forward and shifts the others, which is what the thesis's
  * worked example shows (Figure 4.8); its pseudocode (Figure 4.7) exchanges the two.
  *
  * @param window
  *   profile tuples
  * @param thrashAvoidance
  *   alpha of Equation 4.4, in (0, 1]: a violation counts when the ratio in place is below alpha times a
  *   later one. Once a correction has begun, ratios are compared plainly.
  * @param evidence
  *   profile tuples without which the order stays, or the window when that is smaller
  * @param exchange
  *   true to correct as Figure 4.7 prints it
  */
final class AGreedy(
    n: Int,
    initialOrder: Array[Int],
    window: Int = OrderingAlgorithms.DefaultWindow,
    thrashAvoidance: Double = OrderingAlgorithms.DefaultThrashAvoidance,
    precedence: Precedence,
    evidence: Int = OrderingAlgorithms.DefaultEvidence,
    exchange: Boolean = false
) extends OrderingAlgorithm(n, initialOrder, precedence) {
  OrderingAlgorithms.requireThrashAvoidance(thrashAvoidance)

  private val recent = new ProfileWindow(n, window)
  private val matrix = new MatrixView(n)
  private val perNano = new Array[Double](n)
  private val byPosition = new Array[Double](n)
  private val enough = math.min(evidence, window)

  def name: String = "a-greedy"

  def nextPosition(dropPosition: Int, after: Int, dropped: FilterSet): Int = nextUnguarded(after, dropped)

  def offer(tuple: ProfileTuple): Unit = {
    if (recent.isFull) matrix.touch(recent.oldest, positions, -1)
    recent.push(tuple)
    matrix.touch(tuple.dropped, positions, 1)
  }

  def meanNanos(q: Int): Double = recent.meanNanos(q)

  def dropRate(q: Int): Double = recent.drops.dropRate(Orders.prefix(plan, positions(q)), q)

  /** For inspection: the view, and the window it is over. */
  def view: MatrixView = matrix
  def profileWindow: ProfileWindow = recent

  protected def repaired(): Unit = {
    matrix.rebuild(recent, plan)
    reoptimize()
    ()
  }

  /** Corrects the first violated position until none is left. A correction leaves its own rows and those
    * before without violation, so the next one, if any, is later.
    */
  def reoptimize(): Boolean = {
    if (recent.size < enough) return false
    // Means move with every tuple, and each may break any row: all rows are tested.
    var q = 0
    while (q < n) {
      perNano(q) = 1.0 / recent.meanOrFloor(q)
      q += 1
    }
    var changed = false
    var row = firstViolated()
    while (row < n) {
      correct(row)
      changed = true
      row = firstViolated()
    }
    changed
  }

  private def ratio(order: Array[Int], r: Int, c: Int): Double = matrix(r, c) * perNano(order(c))

  private def firstViolated(): Int = {
    val filters = plan
    var c = 0
    while (c < n) {
      byPosition(c) = perNano(filters(c))
      c += 1
    }
    var r = 0
    while (r < n) {
      c = matrix.firstAbove(r, byPosition, thrashAvoidance, after = r)
      while (c < n && !mayStandAt(r, filters(c)))
        c = matrix.firstAbove(r, byPosition, thrashAvoidance, after = c)
      if (c < n) return r
      r += 1
    }
    n
  }

  /** Figure 4.7, from position `first` on. Rows behind `last` keep their set of earlier filters, so they stay
    * valid.
    */
  private def correct(first: Int): Unit = {
    val next = plan.clone()
    val prefix = Orders.prefix(next, first)
    var last = first
    var r = first
    while (r <= last) {
      matrix.recomputeRow(r, recent, next)
      val winner = best(next, r, prefix)
      if (winner > last) last = winner
      if (winner != r) {
        if (exchange) {
          Orders.exchange(next, winner, r)
          matrix.exchange(winner, r)
        } else {
          Orders.shift(next, winner, r)
          matrix.shift(winner, r)
        }
      }
      prefix.add(next(r))
      r += 1
    }
    install(next)
  }

  /** The first position from r on with the largest ratio among the filters that may stand at r. */
  private def best(next: Array[Int], r: Int, prefix: FilterSet): Int = {
    var winner = -1
    var c = r
    while (c < n) {
      if (guards.allows(next(c), prefix) && (winner < 0 || ratio(next, r, c) > ratio(next, r, winner)))
        winner = c
      c += 1
    }
    winner
  }
}
