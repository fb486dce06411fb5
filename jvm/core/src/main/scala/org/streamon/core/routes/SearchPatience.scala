package org.streamon.core.routes

/** When to search again after searches that have found nothing better: after one review, two, four, and so
  * on, or at once when what runs has become dearer. Where kinds differ and stay as they are, every search
  * would begin as promising as the one that found the tree that runs.
  *
  * @param share
  *   what runs has become dearer when its cost times this is above that of the last search
  */
private[routes] final class SearchPatience(share: Double) {
  private var reviews = 0
  private var left = 0
  private var known = Double.PositiveInfinity

  /** Whether this review may search.
    *
    * @param cost
    *   of what runs
    */
  def isOver(cost: Double): Boolean = {
    if (left > 0) left -= 1
    left == 0 || cost * share > known
  }

  /** A search has found nothing better than what runs. */
  def grow(cost: Double): Unit = {
    reviews = math.min(math.max(2 * reviews, 2), SearchPatience.Longest)
    left = reviews
    known = cost
  }

  /** What runs has changed. */
  def reset(): Unit = {
    reviews = 0
    left = 0
  }
}

private object SearchPatience {

  /** Reviews. */
  val Longest = 16
}
