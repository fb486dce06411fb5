package org.streamon.spark.execution

import org.apache.spark.unsafe.types.UTF8String
import org.streamon.core.filters.ProfileTuple
import org.streamon.spark.metrics.FilterCounts
import org.streamon.spark.routes.SampledValues

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

  private val followed = new FollowedRoutes(shared)
  private var lanes: Array[FilterTask] = _

  private var node, route = 0
  private var captured = NoAttribute // the attribute that is asked for since the row is profiled
  open()

  /** Begins a row: the attribute to tell, or -1. */
  def begin(): Int = go(followed.tree.root)

  /** Tells a number; the attribute to tell next, or -1. */
  def tell(isNull: Boolean, number: Double): Int =
    if (captured == NoAttribute) go(followed.tree.next(node, isNull, number))
    else {
      values.set(captured, isNull, number)
      capture(captured + 1)
    }

  /** Tells a text; the attribute to tell next, or -1. */
  def tell(isNull: Boolean, text: UTF8String): Int =
    if (captured == NoAttribute) go(followed.tree.next(node, isNull, text))
    else {
      values.set(captured, isNull, text)
      capture(captured + 1)
    }

  /** The lane of the row. */
  def lane: FilterTask = lanes(route)

  /** The row of which the values were captured was profiled, in its lane. */
  def profiled(tuple: ProfileTuple): Unit = followed.sampled(tuple, values, lane.followed)

  def guarded(guard: Int, guarded: Int): Unit = shared.guarded(guard, guarded)

  /** Counts since the task began. Called once, when it ends. */
  def report(): FilterCounts = {
    val rows = retire().map(_.inputRows)
    val busiest = followed.busiest(rows)
    finished.counts(shared.single.getOrElse(busiest.order), busiest.guards, Some(followed.counts(rows)))
  }

  private def go(next: Int): Int =
    if (next >= 0) {
      node = next
      followed.tree.attribute(next)
    } else {
      route = -1 - next
      if (shared.records && lanes(route).isSampleDue) sample() else NoAttribute
    }

  /** A new plan holds from here on, since a row is profiled now and then. */
  private def sample(): Int =
    if (!followed.isCurrent) {
      retire()
      followed.follow()
      open()
      begin()
    } else {
      lanes(route).announceSample()
      capture(0)
    }

  private def capture(attribute: Int): Int = {
    captured = if (attribute < values.size) attribute else NoAttribute
    captured
  }

  private def open(): Unit = {
    val loops = followed.lanes
    lanes = Array.tabulate(loops.size) { k =>
      new FilterTask(runtime, loops(k), new FilterTally(origin, runtime.size, followed.rowsOf(k)), this)
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
