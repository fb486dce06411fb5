package org.streamon.spark.learning

import org.streamon.spark.util.RecentlyUsed

/** Remembers which plans a folder did not have, so that a slow folder is not read in every micro-batch and
  * every EXPLAIN. A plan that another driver writes meanwhile is found a little later.
  *
  * @param kept
  *   the number of misses that are remembered
  * @param clock
  *   nanoseconds
  */
private[learning] class Misses(kept: Int, clock: () => Long) {
  private val asked = new RecentlyUsed[(String, Structure), java.lang.Long](kept)

  /** What is found, or nothing where it was missed just now. */
  def unlessKnown(scope: String, structure: Structure)(find: => Option[LearnedPlan]): Option[LearnedPlan] = {
    val key = (scope, structure)
    if (isFresh(synchronized(asked.get(key)))) None
    else {
      val found = find
      if (found.isEmpty) synchronized(asked.put(key, clock()))
      found
    }
  }

  private def isFresh(at: java.lang.Long) = at != null && clock() - at < Misses.Fresh
}

private[learning] object Misses extends Misses(1000, () => System.nanoTime) {

  /** A minute. */
  val Fresh: Long = 60L * 1000L * 1000L * 1000L
}
