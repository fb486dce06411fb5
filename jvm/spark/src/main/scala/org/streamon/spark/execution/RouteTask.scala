package org.streamon.spark.execution

import org.apache.spark.unsafe.types.UTF8String
import org.streamon.core.filters.ProfileTuple
import org.streamon.core.loop.Versioned
import org.streamon.core.routes.{ProfiledRow, RouteLanes}
import org.streamon.spark.metrics.{FilterCounts, RouteCounts}
import org.streamon.spark.routes.{FlatTree, SampledValues}

/** A filter with routes in one task: each route has a [[FilterTask]], its lane. Generated and interpreted
  * code tell it the attributes that it asks for, and evaluate the row in the lane that it gives:
  * {{{
  * int wanted = routes.begin();
  * while (wanted >= 0) wanted = routes.tell(attribute wanted of the row);
  * FilterTask lane = routes.lane();
  * }}}
  * A row goes through the tree, which asks for few attributes. When it is the turn of the row to be profiled,
  * every attribute is asked for.
  */
final class RouteTask(runtime: FilterRuntime, shared: RoutedLoop, origin: FilterRuntime.Origin)
    extends SampleListener {
  import RouteTask._

  private val values = new SampledValues(runtime.routing.get.attributes.size)
  private val finished = new FilterTally(origin, runtime.size)

  private var seen: Versioned[RouteLanes[FilterLoop]] = _
  private var tree: FlatTree = _
  private var lanes: Array[FilterTask] = _

  private var routedNanos, singleNanos = 0.0

  private var node, route = 0
  private var captured = NoAttribute // the attribute that is asked for since the row is profiled
  follow()

  /** Begins a row: the attribute to tell, or -1. */
  def begin(): Int = go(tree.root)

  /** Tells a number; the attribute to tell next, or -1. */
  def tell(isNull: Boolean, number: Double): Int =
    if (captured == NoAttribute) go(tree.next(node, isNull, number))
    else {
      values.set(captured, isNull, number)
      capture(captured + 1)
    }

  /** Tells a text; the attribute to tell next, or -1. */
  def tell(isNull: Boolean, text: UTF8String): Int =
    if (captured == NoAttribute) go(tree.next(node, isNull, text))
    else {
      values.set(captured, isNull, text)
      capture(captured + 1)
    }

  /** The lane of the row. */
  def lane: FilterTask = lanes(route)

  /** The row of which the values were captured was profiled, in its lane. */
  def profiled(tuple: ProfileTuple): Unit = if (shared.records) {
    val row = new ProfiledRow(tuple)
    row.values = values
    val isWhole = shared.record(row)
    for (order <- shared.single if isWhole && lanes.length > 1) {
      routedNanos += tuple.nanosInTurn(lane.followed)
      singleNanos += tuple.nanosInTurn(order)
    }
  }

  def guarded(guard: Int, guarded: Int): Unit = shared.guarded(guard, guarded)

  /** Counts since the task began. Called once, when it ends. */
  def report(): FilterCounts = {
    val rows = retire().map(_.inputRows)
    val routes = RouteCounts(
      seen.plan.routes,
      seen.plan.created,
      rows,
      shared.statistics,
      routedNanos,
      singleNanos,
      shared.takeChanges()
    )
    val busiest = seen.plan.lanes(rows.indexOf(rows.max))
    finished.counts(shared.single.getOrElse(busiest.order), busiest.guards, Some(routes))
  }

  private def go(next: Int): Int =
    if (next >= 0) {
      node = next
      tree.attribute(next)
    } else {
      route = -1 - next
      if (shared.records && lanes(route).isSampleDue) sample() else NoAttribute
    }

  /** A new plan holds from here on, since a row is profiled now and then. */
  private def sample(): Int =
    if (shared.current ne seen) {
      retire()
      follow()
      begin()
    } else {
      lanes(route).announceSample()
      capture(0)
    }

  private def capture(attribute: Int): Int = {
    captured = if (attribute < values.size) attribute else NoAttribute
    captured
  }

  private def follow(): Unit = {
    seen = shared.current
    tree = new FlatTree(seen.plan.tree)
    val loops = seen.plan.lanes
    routedNanos = 0.0
    singleNanos = 0.0
    lanes = Array.tabulate(loops.size) { k =>
      val tally = new FilterTally(origin, runtime.size, Option.when(loops.size > 1)(seen.plan.tree -> k))
      new FilterTask(runtime, loops(k), tally, this)
    }
  }

  /** What each lane has counted, which is taken over. */
  private def retire(): Array[FilterTally] = {
    val tallies = lanes.map(_.finish())
    tallies.foreach(finished.take)
    tallies
  }
}

private object RouteTask {
  private val NoAttribute = -1
}
