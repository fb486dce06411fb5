package org.streamon.core.loop

/** The part of the adaptive loop that decides (thesis, Chapter 1): keeps the plan that is best by what its
  * Profiler knows.
  *
  * @tparam P
  *   a plan
  */
trait Reoptimizer[P] {

  /** The algorithm's name as users write it, such as `a-greedy`. */
  def name: String

  /** The current plan. A change installs a new object, so a reader may keep this one. */
  def plan: P

  /** Restores the algorithm's invariant. True when the plan has changed. */
  def reoptimize(): Boolean
}
