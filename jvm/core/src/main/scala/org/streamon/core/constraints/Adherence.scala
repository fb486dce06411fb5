package org.streamon.core.constraints

/** How closely data keep to one constraint: the k in use, from the distances seen (thesis, Section 6.6.3).
  *
  * A learned k begins infinite. When all distances among W arrivals are below it, it becomes the greatest of
  * them; when one is above, it is infinite at once, until another W arrivals have passed. A declared k stays.
  *
  * @param declared
  *   none for a k that is learned
  */
final class Adherence(val settings: MonitorSettings, declared: Option[Long]) {
  private var inUse = declared.getOrElse(Infinite)
  private var above = 0L
  private var greatest = 0L
  private var arrivals = 0L
  private var increased = 0L

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

  /** A distance. */
  private[constraints] def observe(distance: Long): Unit = {
    if (distance > greatest) greatest = distance
    if (distance > inUse) {
      above += 1
      if (declared.isEmpty) {
        inUse = Infinite
        increased += 1
        // The arrival that showed it is not one of the W.
        arrivals = -1L
        greatest = 0L
      }
    }
  }

  /** An arrival, after the distances that it makes have been observed. True when k has become less by it. */
  private[constraints] def arrive(): Boolean = {
    arrivals += 1
    arrivals >= settings.window && {
      val less = declared.isEmpty && greatest < inUse
      if (less) inUse = greatest
      arrivals = 0L
      greatest = 0L
      less
    }
  }

  private[constraints] def state: Array[Long] = Array(inUse, above, greatest, arrivals, increased)

  private[constraints] def restore(state: Array[Long]): Unit = {
    inUse = state(0)
    above = state(1)
    greatest = state(2)
    arrivals = state(3)
    increased = state(4)
  }
}

private[constraints] object Adherence {

  /** Numbers of its state. */
  val Length = 5
}
