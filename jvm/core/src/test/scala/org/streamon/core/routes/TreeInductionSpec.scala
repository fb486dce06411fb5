package org.streamon.core.routes

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class TreeInductionSpec extends AnyFunSuite with ScalaCheckPropertyChecks {
  private val attributes = Vector(Attribute.number("x"), Attribute.category("c"))

  /** Tuples that all differ, so that each keeps its label. */
  private def set(values: Seq[Seq[Any]]): TrainingSet = {
    val made = RouteCases.training(attributes, values.map(Row(_, Set.empty)), Seq(1L))
    assert(made.tuples.size == values.size)
    made
  }

  private def induced(set: TrainingSet, labels: Seq[Int], depth: Int = 16, leastLeaf: Double = 1e-6): Tree =
    new TreeInduction(set, depth, leastLeaf).induce(labels.toArray)

  private val number: Gen[Any] = Gen.frequency(
    8 -> Gen.choose(-20, 20).map(_ / 4.0),
    1 -> Gen.oneOf(null, Double.NaN, Double.PositiveInfinity, Double.NegativeInfinity, -0.0)
  )
  private val category: Gen[Any] = Gen.oneOf("a", "b", "c", "d", "e", null)
  private val distinctValues = Gen
    .listOf(Gen.zip(number, category).map { case (x, c) => Seq(x, c) })
    .map(_.distinctBy(v => (RouteCases.tuple(attributes, Row(v, Set.empty), Seq(1L)).key)))

  test("labels that a tree of thresholds, sets and nulls gives are reproduced") {
    val trees = Gen.oneOf[Tree](
      Branch(Above(0, 1.5), nullsMatch = false, Leaf(1), Leaf(0)),
      Branch(OneOf(1, Set("a", "d")), nullsMatch = true, Leaf(0), Leaf(1)),
      Branch(
        OneOf(1, Set("b")),
        nullsMatch = false,
        Leaf(2),
        Branch(Above(0, -1.0), nullsMatch = true, Leaf(1), Leaf(0))
      )
    )
    forAll(distinctValues, trees) { (values, truth) =>
      val rows = set(values)
      val labels = rows.tuples.map(truth.route)
      assert(rows.tuples.map(induced(rows, labels).route) == labels)
    }
  }

  test("any labels are reproduced, given enough depth, where each test tells something") {
    forAll(distinctValues, Gen.long) { (values, seed) =>
      val random = new scala.util.Random(seed)
      val rows = set(values)
      val labels = rows.tuples.map(_ => random.nextInt(3))
      val tree = induced(rows, labels)
      val wrong = rows.tuples.indices.count(i => tree.route(rows.tuples(i)) != labels(i))
      // Exclusive or has no first test with a gain.
      assert(wrong <= rows.tuples.size / 3, tree)
    }
  }

  test("the first test is the one with the most gain of all thresholds and sets of values") {
    forAll(distinctValues, Gen.long) { (values, seed) =>
      val random = new scala.util.Random(seed)
      val rows = set(values)
      val labels = rows.tuples.map(_ => random.nextInt(2))
      val thresholds = rows.tuples.filterNot(_.isNull(0)).map(_.number(0)).filterNot(_.isNaN)
      val tests: Seq[Test] = thresholds.map(Above(0, _)) ++
        Set("a", "b", "c", "d", "e").subsets().map(OneOf(1, _))
      def entropy(of: Seq[Int]) =
        of.groupBy(identity).values.map(g => -g.size * math.log(g.size.toDouble / of.size)).sum
      val gains = for (test <- tests; nulls <- Seq(true, false)) yield {
        val branch = Branch(test, nulls, Leaf(1), Leaf(0))
        val (yes, no) = rows.tuples.indices.partition(i => branch.takes(rows.tuples(i)))
        entropy(labels) - entropy(yes.map(labels)) - entropy(no.map(labels))
      }
      val found = new SplitSearch(rows, labels.toArray, 1e-9).best(labels.map(_ => true).toArray)
      assert(math.abs(found.fold(0.0)(_.gain) - gains.maxOption.getOrElse(0.0)) < 1e-6)
    }
  }

  test("densities are the weights") {
    val rows = Seq(1.0, 2.0, 3.0, 4.0).zip(Seq(10.0, 1.0, 1.0, 12.0)).map { case (x, density) =>
      RouteCases.tuple(attributes, Row(Seq(x, "a"), Set.empty), Seq(1L), density)
    }
    val weighted = TrainingSet(attributes, 1, rows)
    val last = Branch(Above(0, 3.0), nullsMatch = false, Leaf(1), Leaf(0))
    assert(induced(weighted, Seq(0, 0, 0, 1), leastLeaf = 0.5) == last)
    assert(induced(weighted, Seq(0, 1, 0, 1), depth = 1) == last)
    assert(induced(weighted, Seq(1, 0, 0, 1), depth = 0) == Leaf(1))
  }

  test("depth and least leaf are bounds") {
    forAll(distinctValues, Gen.choose(0, 3), Gen.choose(0.05, 0.5), Gen.long) {
      (values, depth, least, seed) =>
        val random = new scala.util.Random(seed)
        val rows = set(values)
        val tree = induced(rows, rows.tuples.map(_ => random.nextInt(3)), depth, least)
        assert(tree.depth <= depth)
        val numbered = tree.numbered
        val leaves = rows.tuples.groupBy(numbered.route).values.map(_.size)
        if (tree.depth > 0) assert(leaves.min >= least * rows.tuples.size && leaves.size == tree.leaves.size)
    }
  }

  test("nothing to learn from: no tuples, one tuple, constant attributes, NaN and nulls alone") {
    assert(induced(set(Nil), Nil) == Leaf(0))
    assert(induced(set(Seq(Seq(1.0, "a"))), Seq(2)) == Leaf(2))
    val same = Seq.fill(4)(Row(Seq(Double.NaN, null), Set.empty)).zipWithIndex.map { case (row, q) =>
      row.copy(drops = Set(q))
    }
    val constant = RouteCases.training(attributes, same, Seq.fill(4)(1L))
    assert(constant.tuples.size == 4)
    assert(induced(constant, Seq(0, 1, 1, 1)) == Leaf(1))
  }

  test("nulls alone, and NaN alone, can be told apart from the rest") {
    val rows = set(Seq(Seq(null, "a"), Seq(1.0, "a"), Seq(2.0, "a")))
    val nulls = induced(rows, Seq(1, 0, 0))
    assert(rows.tuples.map(nulls.route) == Seq(1, 0, 0))
    val nan = set(Seq(Seq(Double.NaN, "a"), Seq(1.0, "a"), Seq(Double.PositiveInfinity, "a")))
    val tree = induced(nan, Seq(1, 0, 0))
    assert(tree == Branch(Above(0, Double.PositiveInfinity), nullsMatch = false, Leaf(1), Leaf(0)))
  }

  test("a value that can be in no set goes with those that do not match") {
    val rows = Seq("a", null, "b").zipWithIndex.map { case (c, i) =>
      val t = RouteCases.tuple(attributes, Row(Seq(i.toDouble, "a"), Set.empty), Seq(1L))
      new TrainingTuple(
        Array(0.0, 0),
        Array(null, c),
        Array(false, false),
        t.dropped,
        i + 1.0,
        t.nanos,
        t.evaluated
      )
    }
    val other = TrainingSet(attributes, 1, rows)
    val tree = induced(other, other.tuples.map(t => if (t.category(1) == null) 1 else 0))
    assert(tree == Branch(OneOf(1, Set("a", "b")), nullsMatch = false, Leaf(0), Leaf(1)))
  }
}
