package org.streamon.core.routes

import java.util.SplittableRandom
import java.util.concurrent.atomic.AtomicBoolean
import java.util.function.LongSupplier
import java.util.random.RandomGenerator

import org.streamon.core.filters.{AGreedy, OrderLoop, Precedence}
import org.streamon.core.loop.{Decision, PlanRef, Versioned}

/** The adaptive loop of routes. Executors of several threads may share it: they classify and read orders
  * without a lock, and only sampled rows take one. A review, which may search, is for another thread than
  * that of the rows.
  *
  * @param attributes
  *   what trees may ask
  * @param first
  *   the plan to begin with; its orders are repaired where they break the precedence
  * @param precedence
  *   guards to obey from the start; copied
  * @param random
  *   for samples and searches
  * @param clock
  *   nanoseconds, for the limit of a search
  * @param lane
  *   makes the loop of one route's order
  * @tparam L
  *   such a loop
  */
final class RouteLoop[L <: OrderLoop](
    attributes: IndexedSeq[Attribute],
    first: Routes,
    precedence: Precedence,
    settings: RouteSettings,
    random: RandomGenerator,
    clock: LongSupplier,
    lane: (Array[Int], Precedence) => L
) {
  first.requireAttributes(attributes)

  private val searching = new SplittableRandom(random.nextLong())
  private val profiler = new RouteProfiler(attributes, precedence, settings, random)
  private val reoptimizer = new RouteReoptimizer(profiler, first, settings, searching, clock)
  private val published = new PlanRef(lanesOf(first))
  private val reviewing = new AtomicBoolean
  private var interval = settings.review.toLong
  @volatile private var due = interval
  @volatile private var restUntil = Long.MinValue

  /** The tree and the lanes. The order of a lane has a version of its own. */
  def current: Versioned[RouteLanes[L]] = published.current

  /** The best order for all rows together, by the latest review; none before it. */
  def single: Option[Array[Int]] = reoptimizer.single

  /** What moved the current routes; none when they are the first. */
  def statistics: Option[RouteStatistics] = reoptimizer.statistics

  /** By lane, its order with the steps left open that hardly matter by the rows that are kept to learn from,
    * as [[ImpreciseRoute]] has them.
    */
  def imprecise(similar: Double): IndexedSeq[ImpreciseRoute] = {
    val routes = current.plan.routes
    val (training, _) = profiler.samples
    val guards = profiler.precedence
    new SolutionCost(routes, training).profiles.zip(routes.orders).map { case (rows, order) =>
      ImpreciseRoute.of(rows, order, guards, similar)
    }
  }

  /** Takes in what a sampled row tells of its kind, which is true under every plan. For Executors whose lanes
    * are told by themselves. False, and no effect, when its profile has ended early.
    */
  def record(row: ProfiledRow): Boolean = profiler.record(row)

  /** Records a row that was sampled under the lanes `seen` and the order `order` of its lane. The lane learns
    * from it when both are still current, and only when a filter has dropped it. The change of order that
    * follows, if any.
    */
  def offer(
      row: ProfiledRow,
      seen: Versioned[RouteLanes[L]],
      order: Versioned[Array[Int]]
  ): Option[OrderLoop.Reorder] = {
    profiler.offer(row)
    if (row.tuple.dropped.isEmpty || !published.isCurrent(seen)) None
    else seen.plan.lanes(row.route).offer(row.tuple, order)
  }

  /** Whether a review has something to do. Cheap. */
  def isDue: Boolean = !reviewing.get && profiler.recorded >= due && clock.getAsLong >= restUntil

  /** Reviews the plan: many rows may pass meanwhile. One at a time; another one does nothing. The change of
    * plan that follows, if any.
    */
  def review(): Option[Decision[Routes, RouteStatistics]] =
    if (!reviewing.compareAndSet(false, true)) None
    else
      try {
        val began = clock.getAsLong
        val running = current.plan.routes
        reoptimizer.resume(running)
        val changed = reoptimizer.reoptimize()
        if (changed) synchronized(published.publish(lanesOf(reoptimizer.plan)))
        // Rows of one kind are looked at ever less often once there are enough; a tree is watched.
        interval =
          if (changed || !running.isSingle || !profiler.isFull) settings.review.toLong
          else math.min(2 * interval, RouteLoop.LongestInterval * settings.review)
        due = profiler.recorded + interval
        // Whoever has seen few rows, or has just changed, looks again soon.
        if (!changed && profiler.isFull) {
          val now = clock.getAsLong
          val times = if (running.isSingle) settings.rest else settings.rest / RouteLoop.Watched
          restUntil = now + times * (now - began)
        }
        if (changed) reoptimizer.statistics.map(Decision.now(running, reoptimizer.plan, _)) else None
      } finally reviewing.set(false)

  /** Demands on every route that `guard` stays before `guarded` from now on. False, and no effect, when that
    * would close a cycle.
    */
  def precede(guard: Int, guarded: Int): Boolean = synchronized {
    val accepted = profiler.precede(guard, guarded)
    if (accepted) current.plan.lanes.foreach(_.precede(guard, guarded))
    accepted
  }

  /** Made with the guards of now, which may be more than the search knew. */
  private def lanesOf(routes: Routes): RouteLanes[L] = {
    val guards = profiler.precedence
    new RouteLanes(routes.tree, routes.orders.map(order => lane(order.toArray, guards)), clock.getAsLong)
  }
}

object RouteLoop {

  /** An order's loop with A-Greedy and its defaults. */
  val aGreedy: (Array[Int], Precedence) => OrderLoop = (order, precedence) =>
    new OrderLoop(new AGreedy(order.length, order, precedence = precedence))

  /** A tree is watched so many times as closely as rows of one kind: it may no longer pay. */
  private val Watched = 5L

  /** Of the shortest interval between reviews. */
  private val LongestInterval = 16L
}
