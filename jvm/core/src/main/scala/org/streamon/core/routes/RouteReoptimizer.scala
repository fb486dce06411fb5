package org.streamon.core.routes

import java.util.function.LongSupplier
import java.util.random.RandomGenerator

import org.streamon.core.loop.Reoptimizer

/** The Re-optimizer of routes: searches when a tree could pay, adopts what beats both the single plan and
  * what runs, and goes back to the single plan when the tree no longer pays. The time of the tree's tests
  * counts. All is judged by rows that no search has seen. Not thread-safe.
  *
  * @param first
  *   the plan to begin with
  * @param clock
  *   nanoseconds, for the limit of a search
  */
private[routes] final class RouteReoptimizer(
    profiler: RouteProfiler,
    first: Routes,
    settings: RouteSettings,
    random: RandomGenerator,
    clock: LongSupplier
) extends Reoptimizer[Routes] {
  private var current = first
  private var guards = profiler.precedence
  private var hasSearched = false
  // These two are read by other threads.
  @volatile private var alone = Option.empty[Array[Int]]
  @volatile private var latest = Option.empty[RouteStatistics]
  private val patience = new SearchPatience(settings.thrashAvoidance)

  def name: String = "query-mesh"

  def plan: Routes = current

  /** The best order for all rows together, by the latest review; none before it. */
  def single: Option[Array[Int]] = alone

  /** What moved the last change of plan. */
  def statistics: Option[RouteStatistics] = latest

  /** Tells what runs now, since A-Greedy goes on inside the routes. */
  def resume(running: Routes): Unit = current = running

  def reoptimize(): Boolean = {
    guards = profiler.precedence
    val (training, test) = profiler.samples
    if (test.density < math.min(RouteReoptimizer.LeastTest, settings.test)) false
    else {
      val whole = BlockProfile.of(training, training.tuples.indices)
      val order = whole.greedy(guards)
      alone = Some(order.toArray)
      decide(training, test, Routes.single(order))
    }
  }

  private def decide(training: TrainingSet, test: TrainingSet, single: Routes): Boolean = {
    val now = new SolutionCost(current, test).total(settings.costs)
    val alone = new SolutionCost(single, test).total(settings.costs)
    val search =
      if (patience.isOver(now) && mayPay(training, test, single)) Some(searched(training)) else None

    def install(next: Routes): Boolean = {
      val cost = new SolutionCost(next, test)
      latest = Some(
        RouteStatistics(
          alone,
          now,
          cost.total(settings.costs),
          cost.shares,
          search.fold(0)(_.steps),
          search.fold(0L)(_.nanos)
        )
      )
      current = next
      patience.reset()
      true
    }
    val merging = new RouteMerging(
      training,
      test,
      guards,
      settings.costs,
      (1.0 - settings.thrashAvoidance) * RouteReoptimizer.OneRoute
    )
    search.map(s => merging.merged(s.best.routes)).filter(pays(_, test, alone, now)) match {
      case Some(better)                              => install(better)
      case None if !current.isSingle && now >= alone => install(single)
      case None                                      =>
        // More rows may tell what these do not.
        if (profiler.isFull) search.foreach(_ => patience.grow(now))
        false
    }
  }

  private def mayPay(training: TrainingSet, test: TrainingSet, single: Routes): Boolean =
    settings.limits.routes > 1 && settings.limits.depth > 0 && {
      val saving = Potential.saving(training, test, single.orders.head, guards, settings.limits)
      saving > (1.0 - settings.thrashAvoidance) * RouteReoptimizer.FirstTest
    }

  private def searched(training: TrainingSet): SearchResult = {
    val problem =
      RouteProblem(training, settings.representatives, guards, settings.costs, settings.limits, random)
    val isSoon = !hasSearched && !profiler.isFull
    val stop = if (isSoon) settings.searches.soon(settings.stop) else settings.stop
    hasSearched = true
    settings.searches.search(problem, settings.starts, stop, random, clock)
  }

  /** @param alone
    *   what the single plan costs
    * @param now
    *   what the plan that runs costs
    */
  private def pays(routes: Routes, test: TrainingSet, alone: Double, now: Double): Boolean = {
    val cost = new SolutionCost(routes, test).total(settings.costs)
    // What the first rows lead to is often a part of the tree: the rest of it saves less than the part.
    val toBeat = if (current.isSingle) settings.thrashAvoidance else (1.0 + settings.thrashAvoidance) / 2
    !routes.isSingle && cost < settings.thrashAvoidance * alone && cost < toBeat * now
  }
}

private object RouteReoptimizer {

  /** Rows without which nothing is judged. */
  val LeastTest = 100.0

  /** Of what a tree must save to be adopted, its first test saves at least this share. */
  val FirstTest = 0.25

  /** Of what a tree must save to be adopted, each route saves at least this share. */
  val OneRoute = 0.1
}
