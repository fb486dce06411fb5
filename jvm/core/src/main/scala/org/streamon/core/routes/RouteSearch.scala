package org.streamon.core.routes

import java.util.function.LongSupplier
import java.util.random.RandomGenerator

/** A search for the cheapest solution (Query Mesh). */
private[routes] trait RouteSearch {

  /** As users write it. */
  def name: String

  /** The best solution found, never dearer than the single plan.
    *
    * @param start
    *   for heuristic searches
    * @param clock
    *   nanoseconds, for the limit of time
    */
  final def search(
      problem: RouteProblem,
      start: Start,
      limits: SearchLimits,
      random: RandomGenerator,
      clock: LongSupplier
  ): SearchResult = {
    val budget = new SearchBudget(problem, limits, clock)
    if (problem.size > 0) run(problem, start, budget, random)
    SearchResult(budget.best, budget.steps, budget.nanos)
  }

  /** Limits for a first search while the samples are small: routes soon are worth more than better ones late,
    * and the next review searches on.
    */
  def soon(limits: SearchLimits): SearchLimits = limits

  /** Tries configurations until it stops by itself or the budget is spent. */
  protected def run(
      problem: RouteProblem,
      start: Start,
      budget: SearchBudget,
      random: RandomGenerator
  ): Unit
}

/** @param steps
  *   configurations that were tried
  * @param nanos
  *   nanoseconds that it took
  */
private[routes] final case class SearchResult(best: Solution, steps: Int, nanos: Long)

private[routes] object RouteSearch {
  val all: Seq[RouteSearch] = Seq(OptQM, IIQM, SAQM)

  def names: Seq[String] = all.map(_.name)

  /** @throws IllegalArgumentException
    *   for an unknown name
    */
  def apply(name: String): RouteSearch = all
    .find(_.name == name)
    .getOrElse(throw new IllegalArgumentException(s"search '$name': allowed are ${names.mkString(", ")}"))
}
