package org.streamon.core.routes

import java.util.SplittableRandom
import java.util.concurrent.atomic.AtomicBoolean
import java.util.function.LongSupplier

import org.scalatest.funsuite.AnyFunSuite
import org.streamon.core.filters.{OrderLoop, Precedence}
import org.streamon.core.loop.Decision
import org.streamon.core.routes.RouteCases.{attributes, skewed, uniform}

class RouteLoopSpec extends AnyFunSuite {
  private type Change = Decision[Routes, RouteStatistics]

  /** A loop, and rows that are all profiled, with reviews between them. */
  private class Run(
      kinds: Kinds,
      seed: Long,
      settings: RouteSettings = RouteSettings(),
      precedence: Precedence = new Precedence(3),
      clock: LongSupplier = () => 0L
  ) {
    val loop = new RouteLoop(
      attributes,
      Routes.single(Vector(0, 1, 2)),
      precedence,
      settings,
      new SplittableRandom(seed),
      clock,
      RouteLoop.aGreedy
    )
    private val sample = new ProfiledRow(kinds.n)
    var changes = Vector.empty[Change]
    var reviews = 0
    var isReviewing = false

    def feed(count: Int, like: Kinds = kinds, from: Long = seed): Unit =
      like.rows(count, from).foreach(take(_, like))

    def take(row: Row, like: Kinds): Unit = {
      val seen = loop.current
      sample.route = seen.plan.tree.route(row)
      val order = seen.plan.lanes(sample.route).current
      row.profile(like.nanos, sample)
      sample.tuple.dropPosition = order.plan.indexWhere(row.drops)
      loop.offer(sample, seen, order)
      if (loop.isDue) {
        reviews += 1
        isReviewing = true
        changes ++= loop.review()
        isReviewing = false
      }
    }

    def routes: Routes = loop.current.plan.routes

    /** Expected nanoseconds of a row in the filters. */
    def cost(like: Kinds = kinds): Double = {
      val random = new SplittableRandom(1)
      val each = like.passes.indices.map { k =>
        val rows = Seq.fill(200)(like.row(k, random))
        rows.map(row => like.cost(k, routes.orders(routes.tree.route(row)))).sum / rows.size
      }
      each.sum / each.size
    }

    def best(like: Kinds = kinds): Double =
      like.passes.indices
        .map(k => like.nanos.indices.permutations.map(like.cost(k, _)).min)
        .sum / like.passes.size

    def single(like: Kinds = kinds): Double =
      like.nanos.indices.permutations
        .map(o => like.passes.indices.map(like.cost(_, o)).sum / like.passes.size)
        .min
  }

  test("three kinds that want three orders end with three routes, told apart by the column that knows them") {
    for (seed <- 1L to 20L) {
      val run = new Run(skewed, seed)
      run.feed(3000)
      assert(run.routes.orders.size == 3, s"seed $seed: ${run.routes}")
      assert(run.routes.tree.leaves.flatMap(_.steps).forall(_._1.test.attribute == 0), s"seed $seed")
      assert(run.cost() < run.best() * 1.03 && run.cost() < run.single() * 0.75, s"seed $seed")
      val change = run.changes.head
      assert(change.statistics.after < 0.9 * change.statistics.single && change.oldPlan.isSingle)
      assert(math.abs(change.statistics.shares.sum - 1.0) < 1e-9 && change.statistics.steps > 0)
    }
  }

  test("a first search is short while there are few rows: routes soon are worth more than better ones late") {
    def steps(settings: RouteSettings) = {
      val run = new Run(skewed, 1, settings)
      run.feed(600)
      assert(run.routes.orders.size == 3)
      run.changes.head.statistics.steps
    }
    assert(steps(RouteSettings()) == 10)
    assert(steps(RouteSettings(sample = 200, test = 100)) > 10, "there will be no more rows")
  }

  test("every search and start finds the three kinds") {
    for (search <- RouteSearch.names; start <- Start.names) {
      val size = if (search == "opt-qm") 6 else 10
      val run = new Run(skewed, 1, RouteSettings(search = search, start = start, representatives = size))
      run.feed(3000)
      assert(run.routes.orders.size == 3 && run.cost() < run.best() * 1.03, (search, start))
    }
  }

  test("rows of one kind end with one route and no tree, and are reviewed ever less often") {
    for (seed <- 1L to 40L) {
      val run = new Run(uniform, seed)
      run.feed(10000)
      assert(run.changes.isEmpty && run.routes.tree == Leaf(0), s"seed $seed: ${run.changes}")
      assert(run.reviews <= 7, s"seed $seed")
      assert(run.cost() < run.best() * 1.03, s"seed $seed")
    }
  }

  test("when kinds become alike the tree is dropped, and when they differ again there is one again") {
    for (seed <- 1L to 10L) {
      val run = new Run(skewed, seed)
      run.feed(3000)
      assert(!run.routes.isSingle, s"seed $seed")
      run.feed(6000, uniform, seed + 100)
      assert(
        run.routes.isSingle && run.cost(uniform) < run.best(uniform) * 1.03,
        s"seed $seed: ${run.routes}"
      )
      val dropped = run.changes.last.statistics
      assert(dropped.after == dropped.single && dropped.before >= dropped.single, s"seed $seed")
      run.feed(15000, skewed, seed + 200)
      assert(run.routes.orders.size == 3, s"seed $seed")
    }
  }

  test(
    "when kinds exchange their rates, the lanes follow without a new tree or with one, and end at the best"
  ) {
    val turned = skewed.copy(passes = skewed.passes.tail :+ skewed.passes.head)
    for (seed <- 1L to 10L) {
      val run = new Run(skewed, seed)
      run.feed(3000)
      run.feed(6000, turned, seed + 100)
      assert(run.routes.orders.size == 3 && run.cost(turned) < run.best(turned) * 1.03, s"seed $seed")
    }
  }

  test("a classifier that costs more than it wins is not adopted") {
    val run = new Run(skewed, 1, RouteSettings(costs = RouteCosts(number = 2000.0, category = 2000.0)))
    run.feed(5000)
    assert(run.changes.isEmpty && run.reviews > 1)
    val overhead = new Run(skewed, 1, RouteSettings(costs = RouteCosts(route = 1000.0)))
    overhead.feed(5000)
    assert(overhead.changes.isEmpty)
  }

  test("steps of the routes at work can be left open, by the rows of each, but for guards") {
    val run = new Run(skewed, 1)
    run.feed(2000)
    assert(run.routes.orders.size == 3)
    // The filter that drops a kind comes first. The others drop alike, behind it.
    for ((route, order) <- run.loop.imprecise(0.2).zip(run.routes.orders))
      assert(route.entries.map(_.toSet) == Seq(Set(order.head), order.tail.toSet))
    assert(run.loop.imprecise(100.0).forall(_.entries.size == 1))
    assert(run.loop.precede(2, 0))
    assert(
      run.loop.imprecise(100.0).forall(_.entries.forall(entry => !(entry.contains(0) && entry.contains(2))))
    )
  }

  test("the number of routes is bounded") {
    for (most <- 1 to 3) {
      val run = new Run(skewed, 2, RouteSettings(limits = RouteLimits(routes = most)))
      run.feed(5000)
      assert(run.routes.orders.size == most, run.routes)
    }
  }

  test("guards are obeyed on every route, those from the start and those that come later") {
    val run = new Run(skewed, 3, precedence = Precedence.of(3, 2 -> 0))
    run.feed(4000)
    assert(!run.routes.isSingle && run.routes.obeys(Precedence.of(3, 2 -> 0)))
    assert(run.loop.precede(2, 1) && !run.loop.precede(0, 2))
    val both = Precedence.of(3, 2 -> 0, 2 -> 1)
    assert(run.routes.obeys(both))
    run.feed(6000, from = 9)
    assert(run.routes.obeys(both))
  }

  test("a guard that comes while a search runs is obeyed by what it found") {
    var loop: RouteLoop[OrderLoop] = null
    // Told when the search first looks at the clock.
    val run = new Run(skewed, 3, clock = () => { if (loop != null) loop.precede(2, 0); 0L })
    loop = run.loop
    run.feed(3000)
    assert(run.changes.nonEmpty && run.routes.obeys(Precedence.of(3, 2 -> 0)))
  }

  test("inside a route A-Greedy goes on, from samples of its own rows") {
    val run = new Run(skewed, 4, RouteSettings(review = 1000))
    run.feed(2500)
    val lanes = run.loop.current
    assert(lanes.plan.lanes.size == 3)
    val turned = skewed.copy(passes = skewed.passes.tail :+ skewed.passes.head)
    val before = run.routes
    // As long as no review is due, so that only lanes can follow.
    turned.rows(900, 5).foreach(row => if (!run.loop.isDue) run.take(row, turned))
    assert(run.loop.current eq lanes)
    assert(run.routes.tree == before.tree && run.routes.orders != before.orders)
  }

  test("rows of a plan that is gone tell of their kind, and nothing to the lanes") {
    val run = new Run(skewed, 5)
    val seen = run.loop.current
    run.feed(3000)
    assert(run.loop.current ne seen)
    val row = new ProfiledRow(3)
    Row(Seq("k0", 0.0), Set(2)).profile(Seq(1L, 1000L, 1000L), row)
    val before = run.routes
    for (_ <- 1 to 2000) assert(run.loop.offer(row, seen, seen.plan.lanes.head.current).isEmpty)
    assert(run.routes == before && run.loop.isDue)
  }

  test("a row whose profile ended early is not taken in, unless a guard kept the rest from it") {
    def due(precedence: Precedence) = {
      val run = new Run(skewed, 6, RouteSettings(review = 1), precedence)
      val row = new ProfiledRow(3)
      Row(Seq("k0", 0.0), Set(0)).profile(skewed.nanos, row)
      row.tuple.evaluated.clear()
      row.tuple.evaluated.add(0)
      run.loop.offer(row, run.loop.current, run.loop.current.plan.lanes.head.current)
      run.loop.isDue
    }
    assert(!due(new Precedence(3)) && !due(Precedence.of(3, 0 -> 1)) && due(Precedence.of(3, 0 -> 1, 0 -> 2)))
  }

  test("the same seed and rows give the same plans") {
    def plans(seed: Long) = {
      val run = new Run(skewed, seed)
      run.feed(4000)
      run.changes.map(c => (c.oldPlan, c.newPlan, c.statistics.after)) -> run.routes
    }
    assert(plans(8) == plans(8))
  }

  test("a search that has no time ends with the single plan, and one thread reviews at a time") {
    val run = new Run(skewed, 7, RouteSettings(stop = SearchLimits(nanos = 0L)))
    run.feed(3000)
    assert(run.changes.isEmpty && run.reviews > 1)
    val nested = new AtomicBoolean
    var two: Run = null
    def reviewAgain(): Unit =
      if (two != null && two.isReviewing && two.loop.review().isDefined) nested.set(true)
    two = new Run(skewed, 7, clock = () => { reviewAgain(); 0L })
    two.feed(3000)
    assert(two.changes.nonEmpty && !nested.get)
  }

  test("after a review in vain none begins for a while, once the samples are full") {
    var now = 0L
    // Each look at the clock takes a microsecond.
    val run = new Run(uniform, 7, RouteSettings(rest = 1000000), clock = () => { now += 1000L; now })
    run.feed(3000)
    val reviews = run.reviews
    assert(reviews >= 2 && reviews <= 5, reviews)
    run.feed(60000)
    assert(run.reviews == reviews)
    now += 3600000000000L
    run.feed(1000)
    assert(run.reviews == reviews + 1)
  }

  test("rows go on while another thread reviews") {
    val run = new Run(skewed, 9, clock = () => System.nanoTime())
    val loop = run.loop
    val stop = new AtomicBoolean
    val reviewer = new Thread(() => while (!stop.get) { if (loop.isDue) loop.review(); Thread.`yield`() })
    reviewer.start()
    val sample = new ProfiledRow(3)
    val deadline = System.nanoTime() + 20000000000L
    val rows = skewed.rows(1000, 3)
    var k = 0
    while (loop.current.plan.lanes.size < 3 && System.nanoTime() < deadline) {
      val row = rows(k % rows.size)
      val seen = loop.current
      sample.route = seen.plan.tree.route(row)
      row.profile(skewed.nanos, sample)
      loop.offer(sample, seen, seen.plan.lanes(sample.route).current)
      k += 1
    }
    stop.set(true)
    reviewer.join(10000)
    assert(loop.current.plan.lanes.size == 3 && !reviewer.isAlive)
  }

  test("few rows are not judged, and a tree over other columns is refused") {
    val run = new Run(skewed, 1, RouteSettings(review = 50))
    run.feed(200)
    assert(run.reviews > 0 && run.changes.isEmpty)
    val tree = Branch(Above(7, 1.0), nullsMatch = false, Leaf(0), Leaf(1))
    val refused = intercept[IllegalArgumentException](
      new RouteLoop(
        attributes,
        Routes(tree, Vector(Vector(0, 1, 2), Vector(2, 1, 0))),
        new Precedence(3),
        RouteSettings(),
        new SplittableRandom(1),
        () => 0L,
        RouteLoop.aGreedy
      )
    )
    assert(refused.getMessage.contains("attribute 7") && refused.getMessage.contains("0 (kind, a category)"))
  }
}
