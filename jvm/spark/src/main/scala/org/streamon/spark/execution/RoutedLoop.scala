package org.streamon.spark.execution

import java.util.SplittableRandom
import java.util.concurrent.atomic.AtomicBoolean

import scala.util.control.NonFatal

import org.apache.spark.internal.Logging
import org.streamon.core.loop.{Decision, DecisionLog, Versioned}
import org.streamon.core.routes.{ProfiledRow, RouteLanes, RouteLoop, RouteStatistics, Routes}
import org.streamon.spark.metrics.Guard
import org.streamon.spark.routes.Routing

/** The routes of one filter, shared by the tasks of an executor. Each route is a [[FilterLoop]]. What rows of
  * each kind do is learned from the rows that the lanes profile, and reviewed beside the tasks.
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
) extends Logging {
  private val settings = runtime.settings
  private val isForced = routing.forced.isDefined || settings.forced(runtime.size).isDefined
  @volatile private var guards = known
  private val loop = new RouteLoop[FilterLoop](
    routing.attributes,
    learned,
    Guard.precedence(runtime.size, runtime.pinned, known),
    routing.options.settings(settings.thrashAvoidance),
    new SplittableRandom,
    () => System.nanoTime(),
    (order, _) => FilterLoop.ofRoute(runtime, order, guards, isForced, clock)
  )
  private val isQueued = new AtomicBoolean
  @volatile private var hasFailed = false
  private val changes = new DecisionLog[Decision[Routes, RouteStatistics]]

  /** The tree, and a lane for each route. */
  def current: Versioned[RouteLanes[FilterLoop]] = loop.current

  /** Whether sampled rows are of any use beyond their lane. */
  val records: Boolean = !isForced && settings.learns(runtime.size) && routing.attributes.nonEmpty &&
    routing.options.most > 1

  /** Takes in a sampled row, and has the routes reviewed when that is due. False, and no effect, when its
    * profile has ended early.
    */
  def record(row: ProfiledRow): Boolean = {
    val recorded = loop.record(row)
    if (
      loop.isDue && !hasFailed && isQueued.compareAndSet(false, true) && !RouteReviews.submit(() => review())
    ) isQueued.set(false)
    recorded
  }

  /** What goes wrong is no reason to fail anything: the routes stay as they are. */
  private def review(): Unit =
    try loop.review().foreach(change => changes.synchronized(changes.add(change)))
    catch {
      case error @ (NonFatal(_) | _: LinkageError | _: StackOverflowError) =>
        hasFailed = true
        logWarning("The routes of an adaptive filter are no longer reviewed", error)
    } finally isQueued.set(false)

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

  /** The best order for all rows together; none before the first review. */
  def single: Option[Array[Int]] = loop.single

  /** What moved the current routes; none when they are the first. */
  def statistics: Option[RouteStatistics] = loop.statistics

  /** The changes of routes since this was last called. */
  def takeChanges(): Seq[Decision[Routes, RouteStatistics]] = changes.synchronized(changes.take())
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
