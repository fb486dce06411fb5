package org.streamon.spark.execution.joins

import scala.concurrent.duration._

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.AttributeReference
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.{IntegerType, StringType}
import org.apache.spark.unsafe.types.UTF8String
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.core.filters.ProfileTuple
import org.streamon.core.joins.{Equality, JoinGraph, PipelineOrders}
import org.streamon.core.routes.{Above, Branch, Leaf, OneOf, Routes}
import org.streamon.spark.routes.{RouteColumn, RouteOptions, Routing}
import org.streamon.spark.settings.JoinSettings

/** The tasks of one executor that share the routes of a pipeline, a row at a time by hand. */
class PipelineRoutesSuite extends AnyFunSuite {
  private val columns = Vector(
    RouteColumn(AttributeReference("number", IntegerType)(), 1),
    RouteColumn(AttributeReference("kind", StringType)(), 0)
  )
  private val tree = Branch(
    OneOf(1, Set("red")),
    nullsMatch = false,
    Leaf(0),
    Branch(Above(0, 5.0), nullsMatch = true, Leaf(1), Leaf(0))
  )
  private val two = Routes(tree, Vector(Vector(1, 0), Vector(0, 1)))
  private val options = RouteOptions(8, "ii-qm", "route-driven", None)
  private val routing = Routing(columns.map(_.attribute), options, Some(two), None)
  private val settings = JoinSettings(new SQLConf).copy(algorithm = "query-mesh", window = Some(10))
  private val pipeline =
    new PipelineOrders(new JoinGraph(3, Seq(Equality(0, 0, 1, 0), Equality(0, 0, 2, 0))), "static")(0)

  private def row(kind: String, number: Any) = InternalRow(UTF8String.fromString(kind), number)
  private def shared(of: Routing = routing, before: Option[PipelineRoutes] = None) =
    PipelineRoutes(pipeline, of, before, settings)
  private def orders(routes: PipelineRoutes) = routes.current.plan.lanes.map(_.current.plan.toSeq)

  /** A sampled row that one filter alone has dropped. */
  private def droppedBy(filter: Int): ProfileTuple = {
    val tuple = new ProfileTuple(2)
    for (q <- 0 to 1) {
      tuple.evaluated.add(q)
      tuple.nanos(q) = 1000
    }
    tuple.dropped.add(filter)
    tuple
  }

  test("a row takes the order of its kind, and its count is that of its route") {
    val task = new TaskRoutes(shared(), columns)
    def orderOf(row: InternalRow) = task.orderOf(row).current.plan.toSeq
    assert(orderOf(row("red", 9)) == Seq(1, 0) && orderOf(row(null, 5)) == Seq(1, 0))
    assert(orderOf(row("blue", 6)) == Seq(0, 1) && orderOf(row(null, null)) == Seq(0, 1))
    assert(orderOf(row("blue", 9)) == Seq(0, 1))
    val counts = task.counts()
    assert(counts.rows.toSeq == Seq(2, 3) && counts.routes == two && counts.singleNanos == 0.0)
    assert(task.common.toSeq == Seq(0, 1), "before a review, the order of most rows")
    assert(task.laneOf(task.orderOf(row("blue", 9))).contains(tree -> 1) && task.laneOf(pipeline).isEmpty)
  }

  test("what samples tell of the kinds becomes routes, which a task follows from its next row on") {
    val routes = shared(routing.copy(learned = None))
    val task = new TaskRoutes(routes, columns)
    assert(orders(routes) == Seq(Seq(0, 1)) && routes.records)
    def send(to: TaskRoutes): Unit = for (i <- 1 to 100; number = i % 10) {
      to.orderOf(row("any", number))
      to.sampled(droppedBy(if (number > 5) 1 else 0))
    }
    def until(done: => Boolean): Unit = {
      val deadline = 60.seconds.fromNow
      while (!done) assert(deadline.hasTimeLeft(), orders(routes))
    }
    until {
      send(task)
      orders(routes).size == 2
    }
    task.orderOf(row("any", 1))
    assert(task.counts().routes.orders.size == 2)
    val later = new TaskRoutes(routes, columns)
    send(later)
    val counts = later.counts()
    assert(counts.rows.sorted.toSeq == Seq(40, 60))
    assert(counts.statistics.exists(s => s.after < s.single))
    assert(counts.routedNanos < 0.75 * counts.singleNanos)
  }

  test("other settings begin with the routes of now as far as they allow it; forced routes stay") {
    val first = shared()
    assert(orders(shared(routing.copy(learned = None), Some(first))) == two.orders)
    val narrow = routing.copy(options = options.copy(most = 1))
    assert(orders(shared(narrow, Some(first))) == Seq(Seq(0, 1)))
    assert(orders(shared(narrow)) == Seq(Seq(0, 1)) && !shared(narrow).records)
    val forced = shared(routing.copy(learned = None, forced = Some(two)))
    assert(orders(forced) == two.orders && !forced.records)
    assert(forced.current.plan.lanes.forall(!_.profiles))
  }
}
