package org.streamon.core.routes

import org.scalatest.funsuite.AnyFunSuite

class SolutionCostSpec extends AnyFunSuite {
  private val attributes = Vector(Attribute.category("kind"), Attribute.number("x"))
  private val nanos = Seq(100L, 300L)

  /** Four rows of kind a, dropped by filter 0; two of kind b, dropped by filter 1; two of kind c, by none. */
  private val set = RouteCases.training(
    attributes,
    Seq.fill(4)(Row(Seq("a", 1.0), Set(0))) ++ Seq.fill(2)(Row(Seq("b", 2.0), Set(1))) ++
      Seq.fill(2)(Row(Seq("c", 3.0), Set())),
    nanos
  )
  private val one = Vector(0, 1)
  private val other = Vector(1, 0)

  test("equal rows are one tuple with a density") {
    assert(set.tuples.map(_.density) == Seq(4.0, 2.0, 2.0) && set.density == 8.0)
  }

  test("Equation 2 by hand: a tree of two tests, and two routes in three leaves") {
    val tree = Branch(
      OneOf(0, Set("a")),
      nullsMatch = false,
      Leaf(0),
      Branch(Above(1, 2.0), nullsMatch = false, Leaf(0), Leaf(1))
    )
    val cost = new SolutionCost(Routes(tree, Vector(one, other)), set)
    // a: 100; b: 300 in the other order; c: 400.
    assert(cost.filters == (4 * 100.0 + 2 * 300 + 2 * 400) / 8)
    // A category is asked for a, and a number too for b and c.
    val costs = RouteCosts(number = 20, category = 10, route = 7)
    assert(cost.classifier(costs) == (4 * 10.0 + 4 * 30) / 8)
    // Three leaves, but two routes.
    assert(cost.total(costs) == 225.0 + 20 + 14)
    assert(cost.shares == Seq(0.75, 0.25))
  }

  test("the single plan has no tests, and one route") {
    val cost = new SolutionCost(Routes.single(one), set)
    assert(
      cost.total(RouteCosts(number = 20, category = 10, route = 7)) == (4 * 100.0 + 2 * 400 + 2 * 400) / 8 + 7
    )
    assert(cost.shares == Seq(1.0))
  }

  test("times of a leaf are those of its own rows") {
    val slow = RouteCases.tuple(attributes, Row(Seq("s", 1.0), Set(0)), Seq(1000L, 300L))
    val mixed = TrainingSet(attributes, 2, set.tuples :+ slow)
    val tree = Branch(OneOf(0, Set("s")), nullsMatch = false, Leaf(1), Leaf(0))
    val cost = new SolutionCost(Routes(tree, Vector(one, other)), mixed)
    assert(math.abs(cost.filters - (1300.0 + 4 * 100 + 4 * 400) / 9) < 1e-9)
  }

  test("no rows cost their routes only") {
    val empty = TrainingSet(attributes, 2, Nil)
    assert(new SolutionCost(Routes.single(one), empty).total(RouteCosts(route = 7)) == 7.0)
  }
}
