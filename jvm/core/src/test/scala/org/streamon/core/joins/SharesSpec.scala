package org.streamon.core.joins

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks
import JoinCases._

class SharesSpec extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 300)

  private val rst = new JoinGraph(3, Seq(Equality(0, 0, 1, 0), Equality(1, 1, 2, 0)))
  private def clique(n: Int) =
    new JoinGraph(n, distinctClasses((0 until n).combinations(2).map(p => (p(0), p(1))).toSeq))

  private def near(a: Double, b: Double) = math.abs(a - b) <= 1e-9 * math.max(a, b)

  test("R(A), S(A,B), T(B): the square, and R or T replicated along what it lacks") {
    val shares = new Shares(rst, 9)
    assert(shares.shares == Vector(3, 3) && shares.cells == 9)
    assert((0 to 2).map(shares.replicas) == Vector(3, 1, 3))
    assert(near(shares.load, 1 / 3.0 + 1 / 9.0 + 1 / 3.0))
  }

  test("a product below the number of partitions where that is better") {
    val shares = new Shares(rst, 7)
    assert(shares.cells == 6 && near(shares.load, 1.0)) // 1 x 7 would receive 1 + 1/7 + 1/7
  }

  test("the triangle and the clique of four") {
    assert(new Shares(clique(3), 8).shares == Vector(2, 2, 2))
    assert(new Shares(clique(3), 30).shares == Vector(3, 3, 3))
    assert(new Shares(clique(4), 4).cells == 4)
  }

  test("a large input is replicated least") {
    val shares = new Shares(rst, 16, Vector(1, 1, 100))
    assert(shares.replicas(2) == 1 && shares.shares == Vector(1, 16))
    assert(new Shares(rst, 16, Vector(0, 0, 0)).cells == 1)
  }

  test("a class that all inputs hold: hash partitioning on it, whatever else is joined") {
    val keyed = new JoinGraph(3, oneKey(3) ++ Seq(Equality(0, 1, 1, 1), Equality(1, 2, 2, 2)))
    val shares = new Shares(keyed, 7)
    assert(shares.dimensions == Vector(Vector(0)) && shares.shares == Vector(7))
    assert((0 to 2).forall(shares.replicas(_) == 1))
    val two = new JoinGraph(3, oneKey(3) ++ oneKey(3).map(_.copy(leftColumn = 1, rightColumn = 1)))
    assert(new Shares(two, 5).dimensions == Vector(Vector(0, 1)))
  }

  test("each row is the original in one of its cells") {
    forAll(Gen.choose(1, 40), Gen.choose(0, 1000)) { (partitions, value) =>
      for (graph <- Seq(rst, clique(3), clique(4))) {
        val shares = new Shares(graph, partitions)
        for (i <- 0 until graph.n) {
          val hashes = Array.tabulate(shares.dimensions.size)(d => value * 31 + d)
          val first = shares.cell(i, hashes)
          val cells = (0 until shares.replicas(i)).map(shares.replica(i, first, _))
          assert(shares.original(i, first))
          assert(cells.count(shares.original(i, _)) == 1)
        }
      }
    }
  }

  test("classes of few values are cut only when the others do not connect the inputs") {
    // Class 0 is held by all, 1 by the first two, 2 by the last two.
    val windowed = new JoinGraph(3, oneKey(3) ++ Seq(Equality(0, 1, 1, 1), Equality(1, 2, 2, 2)))
    assert(Shares.dimensions(windowed) == Vector(Vector(0)))
    assert(Shares.dimensions(windowed, Set(0)) == Vector(Vector(1), Vector(2)))
    assert(Shares.dimensions(windowed, Set(0, 1)) == Vector(Vector(0)))
  }

  test("columns with equal values do not leave cells empty") {
    val shares = new Shares(rst, 16)
    val reached = (0 until 10000).map(v => shares.cell(1, Array(v, v)))
    val counts = reached.groupBy(identity).values.map(_.size)
    assert(counts.size == 16 && counts.min > 400 && counts.max < 900)
  }

  /** The least load of all shares, of every class, with a product of at most the partitions. */
  private def leastLoad(graph: JoinGraph, partitions: Int, rows: Seq[Double]): Double = {
    def load(shares: Seq[Int]) = rows.indices
      .map(i => rows(i) / Bits.members(graph.classesOf(i)).map(shares(_).toDouble).product)
      .sum
    def choices(classes: Int, left: Int): Seq[Seq[Int]] =
      if (classes == 0) Seq(Nil)
      else (1 to left).flatMap(s => choices(classes - 1, left / s).map(s +: _))
    choices(graph.classes.size, partitions).map(load).min
  }

  test("no other shares have a lower load") {
    val inputs = for {
      n <- Gen.choose(2, 4)
      equalities <- graphs(n)
      partitions <- Gen.choose(1, 24)
      rows <- Gen.listOfN(n, Gen.oneOf(0.0, 1.0, 1.0, 3.0, 50.0))
    } yield (equalities, partitions, rows)
    forAll(inputs) { case (equalities, partitions, rows) =>
      val graph = new JoinGraph(rows.size, equalities)
      val shares = new Shares(graph, partitions, rows.toVector)
      assert(shares.cells <= partitions)
      val least = leastLoad(graph, partitions, rows)
      assert(near(shares.load, least) || shares.load == least, s"${shares.shares} of ${graph.classes}")
    }
  }

  test("many dimensions and partitions end with a sound choice") {
    val shares = new Shares(clique(7), 4096)
    assert(shares.cells <= 4096 && shares.load < 1.5 * new Shares(clique(7), 2048).load)
    assert(shares.load < 7.0 / 4)
  }

  test("each result is found in exactly one cell") {
    forAll(casesOf(2, 5), Gen.choose(1, 30)) { (join, partitions) =>
      val shares = new Shares(join.graph, partitions)
      val windows =
        (0 until join.n).map(i => join.elements.collect { case Element(`i`, row, true) => row }.take(5))
      val received = Array.fill(shares.cells)(Array.fill(join.n)(Vector.empty[Row]))
      for (i <- windows.indices; row <- windows(i)) {
        val hashes = shares.dimensions.indices.map { d =>
          if (shares.holds(i, d)) shares.dimensions(d).map(c => row(join.graph.classes(c).column(i))).##
          else -7
        }.toArray
        val first = shares.cell(i, hashes)
        val cells = (0 until shares.replicas(i)).map(shares.replica(i, first, _))
        assert(cells.distinct.size == cells.size)
        cells.foreach(cell => received(cell)(i) :+= row)
      }
      val found = received.toSeq.flatMap(cell => nestedLoop(join, cell.toVector))
      val expected = nestedLoop(join, windows)
      assert(
        found.groupBy(identity).map(g => g._1 -> g._2.size) == expected
          .groupBy(identity)
          .map(g => g._1 -> g._2.size)
      )
    }
  }

  test("what is out of range is refused, with what is allowed") {
    def refusal(body: => Any): String = intercept[IllegalArgumentException](body).getMessage
    assert(refusal(new Shares(rst, 0)).contains("partitions = 0: at least 1"))
    assert(refusal(new Shares(rst, 4, Vector(1, 2))).contains("each of 3 inputs"))
    assert(refusal(new Shares(rst, 4, Vector(1, -2, 1))).contains("[1.0,-2.0,1.0]"))
  }
}
