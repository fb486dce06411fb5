package org.streamon.core.constraints

/** How closely data keep to one constraint: the k in use, from the distances seen (thesis, Section 6.6.3).
  *
  * A learned k begins infinite. When all distances among W arrivals are below it, it becomes the greatest of
  * them; when one is above, it is infinite at once, until another W arrivals have passed. A declared k stays.
  *
  * Three things are not in the thesis. An infinite k does not end before twice the greatest distance could
  * have been seen: while it is infinite keys are watched anew, and of keys at random the greatest distance is
  * nearly the time since, of micro-batches that between the first and the last. There is headroom, or a k
  * that is the greatest of some distances is soon exceeded by another. And where keys are given up that wait,
  * as for RIDS, it is infinite as well when they are given up far more often than before: so they are when k
  * has risen, long before the first comes after all.
  *
  * @param declared
  *   none for a k that is learned
  * @param givesUp
  *   whether keys that wait are given up
  */
final class Adherence(val settings: MonitorSettings, declared: Option[Long], givesUp: Boolean = false) {
  private var inUse = declared.getOrElse(Infinite)
  private var above = 0L
  private var most = 0L
  private var arrivals = 0L
  private var batches = 0L
  private var beyond = 0L
  private var noted, farthest, tooFar, lasting = 0L
  private var increased = 0L
  private var seen = 0L
  private var first = 0L
  private var pairs = false
  private var givenUp = 0L
  private var usual = -1L

  /** k_u; `Infinite` when it is not known. */
  def k: Long = inUse

  /** k_e: up to here distances are seen for certain. */
  def watched: Long =
    if (inUse >= Infinite / 2) Infinite
    else math.max(math.min(settings.growth * inUse.toDouble, 1e18).toLong, inUse + settings.slack)

  /** Whether the constraint can be used. */
  def usable: Boolean = inUse <= settings.threshold

  /** Distances seen above the k that was in use. */
  def violations: Long = above

  /** Times that k became infinite. */
  def increases: Long = increased

  /** The greatest distance among the arrivals of the current window. */
  def greatest: Long = most

  /** A distance. */
  private[constraints] def observe(distance: Long): Unit =
    observe(distance, if (distance > inUse) 1L else 0L)

  /** A distance in a micro-batch, which counts when that has arrived. */
  private[constraints] def note(distance: Long): Unit = {
    noted += 1
    if (distance > farthest) farthest = distance
    if (distance > inUse) tooFar += 1
  }

  /** A key goes on coming, so many arrivals after its first. */
  private[constraints] def lasts(extent: Long): Unit = if (extent > lasting) lasting = extent

  private def observeNoted(): Unit = if (noted > 0) {
    // Beyond what has been seen since, nothing is known of such distances.
    if (tooFar > 0 && farthest < Infinite) beyond = math.max(beyond, farthest)
    observe(farthest, tooFar)
    noted = 0L
    farthest = 0L
    tooFar = 0L
  }

  private def observe(greatest: Long, tooGreat: Long): Unit = {
    pairs = true
    if (greatest > most) most = greatest
    above += tooGreat
    // The arrival that showed it is not one of the W.
    if (tooGreat > 0 && declared.isEmpty) increase(-1L)
  }

  /** Somebody else has seen a distance above the k in use. */
  def violated(): Unit = if (inUse < Infinite) {
    above += 1
    if (declared.isEmpty) increase(0L)
  }

  private def increase(count: Long): Unit = {
    inUse = Infinite
    increased += 1
    arrivals = count
    batches = 0L
    seen = count
    most = 0L
    givenUp = 0L
  }

  /** A key is to be given up at some age. False when so many are that k must have risen. */
  private[constraints] def giveUp(age: Long): Boolean = {
    // Those that have waited for longer had to, while k was not known.
    val counts = givesUp && declared.isEmpty && age < inUse + settings.window
    if (counts) givenUp += 1
    val tooMany = counts && usual >= 0 && givenUp > 2 * usual + Adherence.Allowance
    if (tooMany) {
      // So often may be what is usual now.
      usual = givenUp
      increase(0L)
    }
    !tooMany
  }

  /** The arrivals of a micro-batch, after the distances that they make have been observed. True when k has
    * become less by them.
    *
    * @param needsPairs
    *   whether arrivals without any distance tell nothing
    */
  private[constraints] def advance(count: Long, needsPairs: Boolean): Boolean = {
    observeNoted()
    if (seen <= 0L) first = count
    // No distance can be greater yet.
    val between = math.max(seen - first, 0L)
    // Of a key that comes for most of what has been seen it is not known that it ever ends.
    val endless = inUse == Infinite && lasting > between / 2
    lasting = 0L
    // The first micro-batch has none before it to be far from.
    arrivals += (if (seen == 0) math.min(count, 1L) else count)
    batches += 1
    seen += count
    if (endless) {
      arrivals = 0L
      batches = 0L
    }
    arrivals >= settings.window && batches >= math.min(Adherence.Batches, settings.window) && {
      val next = if (most >= Infinite / 2) Infinite else most + (settings.headroom * most).toLong
      val telling = (pairs || !needsPairs) && (inUse < Infinite || math.max(most, beyond) <= between / 2)
      if (inUse < Infinite) usual = if (usual < 0) givenUp else (3 * usual + givenUp) / 4
      val less = declared.isEmpty && next < inUse && telling
      if (less) inUse = next
      arrivals = 0L
      batches = 0L
      most = 0L
      pairs = false
      givenUp = 0L
      less
    }
  }

  private[constraints] def state: AdherenceState = AdherenceState(
    declared,
    inUse,
    above,
    most,
    arrivals,
    increased,
    seen,
    pairs,
    givenUp,
    usual,
    batches,
    beyond,
    first
  )

  /** A k that is declared now, or was then, is not that of the state: false when that makes a difference. */
  private[constraints] def restore(state: AdherenceState): Boolean = {
    if (declared.isEmpty && state.declared.isEmpty) inUse = state.k
    above = state.violations
    most = state.greatest
    arrivals = state.arrivals
    increased = state.increases
    seen = state.seen
    pairs = state.hasPairs
    givenUp = state.givenUp
    usual = state.usual
    batches = state.batches
    beyond = state.beyond
    first = state.first
    declared == state.declared
  }
}

private[constraints] object Adherence {

  /** Micro-batches, at least, of which k is learned: between the rows of one there is no distance. */
  private val Batches = 4

  /** Keys given up in W arrivals, beside twice as many as usual, that are no sign of anything. */
  private val Allowance = 8L
}
