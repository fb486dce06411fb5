package org.streamon.spark.execution

import org.scalatest.funsuite.AnyFunSuite
import org.streamon.core.routes.{Above, Attribute, Branch, Leaf, Routes}
import org.streamon.spark.metrics.Guard
import org.streamon.spark.routes.{RouteOptions, Routing}
import org.streamon.spark.settings.FilterSettings

/** Tasks of one executor that share routes, a row at a time by hand. */
class RoutedLoopSuite extends AnyFunSuite with TwoConjuncts {
  private val tree = Branch(Above(0, 0.5), nullsMatch = false, Leaf(0), Leaf(1))
  private val two = Routes(tree, Vector(Vector(1, 0), Vector(0, 1)))
  private val options = RouteOptions(8, "ii-qm", "route-driven", None)
  private val routing = Routing(Vector(Attribute.number("kind")), options, Some(two), None)

  private val runtime = runtimeOf(
    FilterSettings.canonical.copy(
      algorithm = "query-mesh",
      window = 10,
      profilingProbability = 1.0,
      thrashAvoidance = 0.9,
      routes = options
    ),
    Some(routing)
  )

  private def orders(loop: RoutedLoop): Seq[Seq[Int]] = loop.current.plan.lanes.map(_.order.toSeq)

  /** Sends a row into its lane. */
  private def lane(task: RouteTask, kind: Double): FilterTask = {
    var wanted = task.begin()
    while (wanted >= 0) wanted = task.tell(isNull = false, kind)
    task.lane
  }

  /** The same for a row of the first route. */
  private def raises(task: RouteTask): Boolean = raises(lane(task, kind = 1.0))

  test("a row takes the lane of its kind, and the counts of all lanes are the task's") {
    val task = new RouteTask(runtime, RoutedLoop(runtime, routing, None), origin)
    for (kind <- Seq(1.0, 0.0, 1.0)) {
      val to = lane(task, kind)
      val order = to.startRow()
      assert(order.toSeq == (if (kind == 1.0) Seq(1, 0) else Seq(0, 1)) && to.supervised)
      assert(to.advance(0, pass = false) == 1 && to.advance(1, pass = true) == 2 && !to.verdict())
    }
    val counts = task.report()
    assert(counts.inputRows == 3 && counts.profiled == 3 && counts.evaluations.toSeq == Seq(3, 3))
    assert(counts.order.toSeq == Seq(1, 0), "the order that most rows took")
    assert(counts.routes.exists(r => r.rows.toSeq == Seq(2, 1) && r.routes == two))
  }

  test("a guard that one route has learned holds on every route, and on those to come") {
    val loop = RoutedLoop(runtime, routing, None)
    assert(orders(loop) == Seq(Seq(1, 0), Seq(0, 1)))
    val task = new RouteTask(runtime, loop, origin)
    assert(raises(task) && !raises(task))
    assert(orders(loop) == Seq(Seq(0, 1), Seq(0, 1)))
    assert(loop.current.plan.lanes.forall(_.guards.exists(_.isBetween(0, 1))))
    val other = runtime.copy(settings = runtime.settings.copy(window = 20))
    assert(!loop.serves(other))
    val next = RoutedLoop(other, routing, Some(loop))
    assert(next.serves(other) && orders(next).forall(_ == Seq(0, 1)))
  }

  test("a guard gets old") {
    var now = 0L
    val known = runtime.copy(initialGuards = Seq(Guard(0, 1, now)))
    val loop = RoutedLoop(known, routing, None, () => now)
    assert(loop.serves(known) && orders(loop).forall(_ == Seq(0, 1)))
    now = Guard.Life
    assert(!loop.serves(known))
    // Orders stay as they were learned, and may change from now on.
    assert(orders(RoutedLoop(known, routing, Some(loop), () => now)).forall(_ == Seq(0, 1)))
  }

  test("under other settings routes are kept as far as these allow it; other columns are another tree's") {
    val loop = RoutedLoop(runtime, routing, None)
    val one = routing.copy(options = options.copy(most = 1), learned = None)
    val narrow = runtime.copy(settings = runtime.settings.copy(routes = one.options), routing = Some(one))
    assert(orders(RoutedLoop(narrow, one, Some(loop))) == Seq(Seq(1, 0)))
    val wider = routing.copy(attributes = routing.attributes :+ Attribute.category("carrier"), learned = None)
    assert(!loop.serves(runtime.copy(routing = Some(wider))))
    assert(orders(RoutedLoop(runtime, wider, Some(loop))) == Seq(Seq(1, 0)))
  }

  test("forced routes and a forced order stay, whatever is learned") {
    val forced = routing.copy(forced = Some(two), learned = None)
    val loop = RoutedLoop(runtime, forced, None)
    val task = new RouteTask(runtime, loop, origin)
    assert(raises(task) && raises(task) && orders(loop) == two.orders && !loop.records)
    val order = runtime.copy(settings = runtime.settings.copy(forcedOrder = Some(Seq(1, 0))))
    assert(orders(RoutedLoop(order, routing.copy(learned = None), Some(loop))) == Seq(Seq(1, 0)))
  }
}
