package org.streamon.spark.execution

import java.util.SplittableRandom

import org.streamon.core.routes.{RouteLoop, Routes}
import org.streamon.spark.metrics.Guard
import org.streamon.spark.routes.Routing

/** The routes of one filter, shared by the tasks of an executor. Each route is a [[FilterLoop]].
  *
  * @param learned
  *   the routes to begin with
  * @param known
  *   guards to obey from the start
  * @param clock
  *   milliseconds since the epoch
  */
final class RoutedLoop private (
    runtime: FilterRuntime,
    routing: Routing,
    learned: Routes,
    known: Seq[Guard],
    clock: () => Long
) extends ReviewedRoutes[FilterLoop] {
  private val settings = runtime.settings
  private val isForced = routing.forced.isDefined || settings.forced(runtime.size).isDefined
  @volatile private var guards = known
  protected val loop = new RouteLoop[FilterLoop](
    routing.attributes,
    learned,
    Guard.precedence(runtime.size, runtime.pinned, known),
    routing.options.settings(settings.thrashAvoidance),
    new SplittableRandom,
    () => System.nanoTime(),
    (order, _) => FilterLoop.ofRoute(runtime, order, guards, isForced, clock)
  )

  val records: Boolean = !isForced && settings.learns(runtime.size) && routing.attributes.nonEmpty &&
    routing.options.most > 1

  /** A lane has learned a guard: every other one has it too, and the lanes to come. */
  def guarded(guard: Int, guarded: Int): Unit = if (!isForced) {
    val lanes = current.plan.lanes
    lanes.foreach(_.guard(guard, guarded))
    synchronized { guards = Guard.latest(guards ++ lanes.flatMap(_.guards)) }
    loop.precede(guard, guarded)
    ()
  }

  /** Whether it goes on for this execution. It does not when a guard is too old to be obeyed. */
  def serves(other: FilterRuntime): Boolean =
    settings == other.settings && other.routing.exists(looksAt) && guards.forall(_.holds(clock()))

  private def looksAt(other: Routing): Boolean =
    routing.attributes.map(a => (a.name, a.isNumber)) == other.attributes.map(a => (a.name, a.isNumber))
}

object RoutedLoop {

  /** @param before
    *   the routes under other settings, which are taken over with their guards where they still fit
    */
  def apply(
      runtime: FilterRuntime,
      routing: Routing,
      before: Option[RoutedLoop],
      clock: () => Long = () => System.currentTimeMillis
  ): RoutedLoop = {
    val taken = before
      .filter(_.looksAt(routing) && runtime.settings.forced(runtime.size).isEmpty)
      .map(_.current.plan.routes)
      .filter(_.orders.size <= routing.options.most)
    val guards = Guard
      .latest(before.fold(Seq.empty[Guard])(_.guards) ++ runtime.initialGuards)
      .filter(_.holds(clock()))
    val first = routing.forced
      .orElse(taken)
      .orElse(routing.learned)
      .getOrElse(Routes.single(runtime.initialOrder.toVector))
    new RoutedLoop(runtime, routing, first, guards, clock)
  }
}
