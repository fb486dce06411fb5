package org.streamon.core.routes

import java.util.function.LongSupplier

/** What is left of a search's limits, and the best that it has found. Every configuration is tried here.
  *
  * @param clock
  *   nanoseconds
  */
private[routes] final class SearchBudget(
    problem: RouteProblem,
    val limits: SearchLimits,
    clock: LongSupplier
) {
  private val start = clock.getAsLong
  private var tried = 0
  private var found: Solution = problem.single

  def steps: Int = tried
  def nanos: Long = clock.getAsLong - start
  def isSpent: Boolean = tried >= limits.steps || nanos >= limits.nanos

  /** The cheapest so far; the single plan before the first step. */
  def best: Solution = found

  def solve(configuration: Configuration): Solution = {
    tried += 1
    val solution = problem.solve(configuration)
    if (solution.cost < found.cost) found = solution
    solution
  }
}
