package org.streamon.core.routes

import java.util.SplittableRandom
import java.util.function.LongSupplier

import org.scalacheck.Gen
import org.scalacheck.rng.Seed
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks
import org.streamon.core.filters.Precedence

class RouteSearchSpec extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 40)

  private val attributes = Vector(Attribute.number("x"), Attribute.category("c"))
  private val still: LongSupplier = () => 0L

  /** Rows by representative, no two rows with equal values, so that each has a label of its own. */
  private case class Instance(rows: Seq[Seq[Row]], nanos: Seq[Long], costs: RouteCosts) {
    val limits: RouteLimits = RouteLimits(leastLeaf = 0.01)
    def n: Int = nanos.size

    def problem(precedence: Precedence = new Precedence(n), limits: RouteLimits = limits): RouteProblem = {
      val set = RouteCases.training(attributes, rows.flatten, nanos)
      assert(set.tuples.size == rows.flatten.size)
      val starts = rows.scanLeft(0)(_ + _.size)
      val members = rows.indices.map(r => starts(r) until starts(r + 1))
      val clustering = new KPrototypes(set, Vector(0.5, 0.5))
      new RouteProblem(set, members, members.map(clustering.prototype), precedence, costs, limits)
    }
  }

  private def instances(most: Int): Gen[Instance] = for {
    size <- Gen.choose(1, most)
    n <- Gen.choose(2, 4)
    nanos <- Gen.listOfN(n, Gen.choose(1L, 9L).map(_ * 100))
    costs <- Gen.zip(Gen.oneOf(0.0, 5.0), Gen.oneOf(0.0, 5.0, 20.0), Gen.oneOf(0.0, 5.0, 30.0)).map {
      case (number, category, route) => RouteCosts(number, category, route)
    }
    seed <- Gen.long
  } yield {
    val random = new scala.util.Random(seed)
    val rows = (0 until size).map { r =>
      val rates = Seq.fill(n)(random.nextDouble())
      (0 until 1 + random.nextInt(6)).map { i =>
        val drops = (0 until n).filter(q => random.nextDouble() < rates(q)).toSet
        Row(Seq(r * 10.0 + i, "abc".charAt(random.nextInt(3)).toString), drops)
      }
    }
    Instance(rows, nanos, costs)
  }

  private def search(
      name: String,
      problem: RouteProblem,
      seed: Long,
      start: String = "route-driven",
      stop: SearchLimits = SearchLimits(steps = 1000000),
      clock: LongSupplier = still
  ): SearchResult = RouteSearch(name).search(problem, Start(start), stop, new SplittableRandom(seed), clock)

  test("Opt-QM is brute force") {
    forAll(instances(5)) { instance =>
      val found = search("opt-qm", instance.problem(), 1).best.cost
      val least =
        new BruteForce(attributes, instance.rows, instance.nanos, instance.costs, instance.limits).least
      assert(math.abs(found - least) < 1e-6)
    }
  }

  test("heuristics are never better than Opt-QM") {
    forAll(instances(7), Gen.oneOf("ii-qm", "sa-qm"), Gen.oneOf(Start.names), Gen.long) {
      (instance, name, start, seed) =>
        val best = search("opt-qm", instance.problem(), 1).best.cost
        assert(search(name, instance.problem(), seed, start).best.cost >= best - 1e-9)
    }
  }

  // An average over a few instances differs from one lot to the next, so these are always the same.
  test("heuristics are at most 15% behind Opt-QM, and 0.5% on the average, over 200 fixed instances") {
    val fixed =
      (1L to 200L).map(lot => instances(7).pureApply(Gen.Parameters.default.withSize(10), Seed(lot)))
    val best = fixed.map(instance => search("opt-qm", instance.problem(), 1).best.cost)
    for (name <- Seq("ii-qm", "sa-qm"); start <- Start.names) {
      val gaps = fixed.indices.map(i => search(name, fixed(i).problem(), i, start).best.cost / best(i) - 1)
      info(
        f"$name $start: gap ${100 * gaps.sum / gaps.size}%.3f%% on the average, ${100 * gaps.max}%.2f%% at most"
      )
      assert(gaps.max <= 0.15 && gaps.sum / gaps.size <= 0.005, (name, start))
    }
  }

  test("no solution is dearer than the single plan, and its cost is Equation 2's") {
    forAll(instances(12), Gen.oneOf("ii-qm", "sa-qm"), Gen.oneOf(Start.names), Gen.long) {
      (instance, name, start, seed) =>
        val problem = instance.problem()
        val found = search(name, problem, seed, start).best
        assert(found.cost <= problem.single.cost)
        assert(
          math.abs(found.cost - new SolutionCost(found.routes, problem.training).total(instance.costs)) < 1e-9
        )
    }
  }

  test("guards are obeyed on every route, and the number of routes and the depth are bounded") {
    forAll(
      instances(10),
      Gen.zip(Gen.choose(0, 3), Gen.choose(0, 3)),
      Gen.choose(1, 3),
      Gen.oneOf(Start.names),
      Gen.long
    ) { (instance, edge, most, start, seed) =>
      val precedence = new Precedence(instance.n)
      if (edge._1 < instance.n && edge._2 < instance.n) precedence.add(edge._1, edge._2)
      val problem = instance.problem(precedence, RouteLimits(routes = most, depth = most, leastLeaf = 0.01))
      val random = new SplittableRandom(seed)
      for (
        c <- Seq(
          Configuration(0 until problem.size),
          Configuration(Vector.fill(problem.size)(0).map(_ => random.nextInt(4)))
        )
      ) {
        val routes = problem.solve(c).routes
        assert(routes.obeys(precedence) && routes.orders.size <= most && routes.tree.depth <= most)
      }
      val best = search("ii-qm", problem, seed, start).best.routes
      assert(best.obeys(precedence) && best.orders.size <= most)
    }
  }

  test("the same seed finds the same, step by step") {
    forAll(instances(10), Gen.oneOf("ii-qm", "sa-qm"), Gen.oneOf(Start.names), Gen.long) {
      (instance, name, start, seed) =>
        def found = search(name, instance.problem(), seed, start)
        assert(found == found)
    }
  }

  test("steps and time are bounds for every search and start") {
    forAll(instances(9), Gen.oneOf(RouteSearch.names), Gen.oneOf(Start.names), Gen.choose(1, 40)) {
      (instance, name, start, steps) =>
        assert(search(name, instance.problem(), 3, start, SearchLimits(steps = steps)).steps <= steps)
        // A clock by which every look takes a millisecond.
        var now = 0L
        val slow: LongSupplier = () => { now += 1000000L; now }
        val timed =
          search(name, instance.problem(), 3, start, SearchLimits(steps = 1000000, nanos = 20000000L), slow)
        assert(timed.steps <= 20)
    }
  }

  test("more iterations and more patience take more steps") {
    val instance = instances(10).pureApply(Gen.Parameters.default.withSize(10), Seed(42L))
    def steps(limits: SearchLimits) = search("ii-qm", instance.problem(), 3, stop = limits).steps
    val many = SearchLimits(steps = 1000000)
    assert(steps(many.copy(iterations = 1)) < steps(many))
    assert(steps(many) < steps(many.copy(patience = 10)))
  }

  test("starts: a block for each cell, for each route, for all, for each representative, and by lot") {
    val kinds = Seq(0 -> "a", 1 -> "b", 0 -> "b", 1 -> "b").zipWithIndex.map { case ((q, c), r) =>
      Seq(Row(Seq(r.toDouble, c), Set(q)))
    }
    val problem = Instance(kinds, Seq(100L, 100L), RouteCosts()).problem()
    val budget = new SearchBudget(problem, SearchLimits(), still)
    def start(name: String) = Start(name).configuration(problem, budget, new SplittableRandom(1)).toString
    // Numbers are in the first, second, second and last third.
    assert(start("content-driven") == "1/23/4")
    assert(start("route-driven") == "13/24")
    assert(start("extreme-1-route") == "1234")
    assert(start("extreme-n") == "1/2/3/4")
    assert(budget.steps == 0)
    start("random-pick")
    assert(budget.steps == 10)
  }

  test("route-driven begins with the best where the kinds can be told apart") {
    val set =
      RouteCases.training(RouteCases.attributes, RouteCases.skewed.rows(1000, 4), RouteCases.skewed.nanos)
    val problem =
      RouteProblem(set, 10, new Precedence(3), RouteCosts(), RouteLimits(), new SplittableRandom(2))
    val began = problem.solve(
      Start.RouteDriven
        .configuration(problem, new SearchBudget(problem, SearchLimits(), still), new SplittableRandom(1))
    )
    val found = search("ii-qm", problem, 1).best
    assert(found.routes.orders.map(_.head).sorted == Seq(0, 1, 2))
    assert(began.cost <= found.cost * 1.05 && found.cost < problem.single.cost * 0.8)
  }

  test("no rows and one row have a single plan") {
    for (rows <- Seq(Nil, Seq(Row(Seq(1.0, "a"), Set(1)))); name <- RouteSearch.names; start <- Start.names) {
      val set = RouteCases.training(attributes, rows, Seq(100L, 100L))
      val problem =
        RouteProblem(set, 10, new Precedence(2), RouteCosts(), RouteLimits(), new SplittableRandom(2))
      val order = if (rows.isEmpty) Vector(0, 1) else Vector(1, 0)
      assert(search(name, problem, 1, start).best.routes == Routes.single(order))
    }
  }

  test("without attributes there is a single plan") {
    val set = RouteCases.training(Vector.empty, Seq(Row(Nil, Set(1)), Row(Nil, Set(0))), Seq(100L, 100L))
    val problem =
      RouteProblem(set, 10, new Precedence(2), RouteCosts(), RouteLimits(), new SplittableRandom(2))
    assert(search("ii-qm", problem, 1).best.routes.isSingle)
  }

  test("unknown names, and limits that are none, are refused with what is allowed") {
    def refusal(body: => Any) = intercept[IllegalArgumentException](body).getMessage
    assert(refusal(RouteSettings(search = "best")).contains("'best': allowed are opt-qm, ii-qm, sa-qm"))
    assert(
      refusal(RouteSettings(start = "x"))
        .contains("allowed are content-driven, route-driven, random-pick, extreme-1-route, extreme-n")
    )
    assert(refusal(RouteSettings(search = "opt-qm", representatives = 11)).contains("1 to 10"))
    assert(refusal(RouteLimits(routes = 0)).contains("1 or more"))
    assert(refusal(RouteLimits(leastLeaf = 0.0)).contains("above 0"))
    assert(refusal(SearchLimits(steps = 0)).contains("1 or more"))
    assert(refusal(RouteSettings(thrashAvoidance = 1.5)).contains("at most 1"))
    assert(refusal(RouteCosts(category = -1.0)).contains("0 or more"))
  }
}
