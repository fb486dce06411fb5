package org.streamon.core.filters

/** Sweep (thesis, Section 4.4): checks the Greedy Invariant for one position at a time. A stage profiles the
  * filter at position j only, and ends with a violation or after `stage` profile tuples; j rotates over all
  * positions but the first. A violation takes that filter forward to the first position whose row it
  * violates. It evaluates at most one filter artificially for a profile tuple, and keeps V[i][i] for i <= j
  * and V[i][j] for i < j, empty at the start of each stage. Under stable input it ends in an order that
  * satisfies the Greedy Invariant, if slowly.
  *
  * Times come from a longer average, since most tuples time few filters.
  *
  * @param stage
  *   profile tuples in a stage (Table 4.1: a window of 500)
  * @param thrashAvoidance
  *   as for [[AGreedy]]
  * @param evidence
  *   profile tuples of a stage without which the order stays
  */
final class Sweep(
    n: Int,
    initialOrder: Array[Int],
    stage: Int = OrderingAlgorithms.SweepStage,
    thrashAvoidance: Double = OrderingAlgorithms.DefaultThrashAvoidance,
    precedence: Precedence,
    evidence: Int = OrderingAlgorithms.DefaultEvidence
) extends OrderingAlgorithm(n, initialOrder, precedence) {
  OrderingAlgorithms.requireThrashAvoidance(thrashAvoidance)
  require(stage >= 1, s"window = $stage: must hold at least one profile tuple")

  private val times = new AverageTimes(n, Sweep.TimeMemory)
  private val inPlace = new Array[Int](n)
  private val challenger = new Array[Int](n)
  private val rates = Array.fill(n)(Double.NaN)
  private val enough = math.min(evidence, stage)
  private var j = 1
  private var seen = 0

  def name: String = "sweep"

  /** The position that this stage profiles. */
  def profiledPosition: Int = j

  /** V[r][r], r <= profiledPosition, and V[r][profiledPosition], r < profiledPosition. */
  def inPlaceEntry(r: Int): Int = inPlace(r)
  def challengerEntry(r: Int): Int = challenger(r)

  /** Profile tuples of this stage so far. */
  def stageSize: Int = seen

  def nextPosition(dropPosition: Int, after: Int, dropped: FilterSet): Int =
    if (j < n && dropPosition < j && after < j && !guards.guardsOf(plan(j)).intersects(dropped)) j else n

  def offer(tuple: ProfileTuple): Unit = {
    times.observe(tuple)
    if (n > 1 && !isOfAnotherStage(tuple)) {
      seen += 1
      count(tuple)
    }
  }

  def reoptimize(): Boolean = {
    val row = if (seen < enough) n else firstViolated()
    if (row < n) {
      keepRates()
      val next = plan.clone()
      Orders.shift(next, j, row)
      install(next)
      startStage()
      true
    } else {
      if (seen >= stage) {
        keepRates()
        startStage()
      }
      false
    }
  }

  def meanNanos(q: Int): Double = times.mean(q)

  /** As its stage sees it, or else as the last stage that measured it saw it. */
  def dropRate(q: Int): Double = {
    val r = positions(q)
    if (seen < enough || r > j) rates(q) else stageRate(r)
  }

  protected def repaired(): Unit = startStage()

  /** Whether a tuple was profiled for a stage that another task has ended meanwhile: the filter at position j
    * has not seen it, though no guard of it drops the tuple.
    */
  private def isOfAnotherStage(tuple: ProfileTuple): Boolean =
    tuple.dropPosition < j && !tuple.evaluated.contains(plan(j)) &&
      !guards.guardsOf(plan(j)).intersects(tuple.dropped)

  /** A tuple dropped behind position j says nothing of the rows up to j. */
  private def count(tuple: ProfileTuple): Unit = {
    val i = tuple.dropPosition
    if (i <= j) {
      inPlace(i) += 1
      val last =
        if (i == j) j - 1
        else if (tuple.dropped.contains(plan(j))) i
        else -1
      var r = 0
      while (r <= last) {
        challenger(r) += 1
        r += 1
      }
    }
  }

  private def firstViolated(): Int = {
    val filters = plan
    val perNano = 1.0 / times.meanOrFloor(filters(j))
    var r = 0
    while (r < j) {
      val ratio = inPlace(r) / times.meanOrFloor(filters(r))
      if (ratio < thrashAvoidance * challenger(r) * perNano && mayStandAt(r, filters(j))) return r
      r += 1
    }
    n
  }

  private def stageRate(r: Int): Double = {
    var reached = seen
    var k = 0
    while (k < r) {
      reached -= inPlace(k)
      k += 1
    }
    if (reached == 0) Double.NaN else inPlace(r).toDouble / reached
  }

  private def keepRates(): Unit = {
    var r = 0
    while (r <= j) {
      rates(plan(r)) = stageRate(r)
      r += 1
    }
  }

  private def startStage(): Unit = {
    java.util.Arrays.fill(inPlace, 0)
    java.util.Arrays.fill(challenger, 0)
    seen = 0
    j = if (j + 1 < n) j + 1 else 1
  }
}

private object Sweep {
  val TimeMemory = 4000
}
