package org.streamon.core.joins

import org.streamon.lab.baselines.{InMemorySynopses, MJoin}
import java.util.SplittableRandom
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks
import scala.collection.mutable

class MJoinSpec extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 300)

  private def check(join: JoinCase, mjoin: MJoin): Unit = {
    def shown(e: Element) = s", pipeline ${mjoin.orders(e.input).pipeline.toSeq}"
    JoinCases.feed(join, (i, row) => mjoin.insert(i, row), (i, row) => mjoin.delete(i, row))(shown)
  }

  private def mjoin(
      join: JoinCase,
      orders: PipelineOrders,
      unindexed: Long = 0L,
      classes: Long = -1L
  ): MJoin =
    new MJoin(
      orders,
      new InMemorySynopses(join.graph, join.predicates, unindexed, classes),
      new SplittableRandom(1),
      0.5
    )

  private def legalPipelines(graph: JoinGraph, input: Int): IndexedSeq[Array[Int]] = {
    val filters = new LogicalFilters(graph, input)
    (0 until graph.n).filter(_ != input).permutations.map(_.toArray).filter(filters.legal).toVector
  }

  test("thesis, Example 5.1.1: R1(A), R2(A,B), R3(B)") {
    val graph = new JoinGraph(3, Seq(Equality(0, 0, 1, 0), Equality(1, 1, 2, 0)))
    val join = new MJoin(
      new PipelineOrders(graph, "static", Map(0 -> Array(1, 2))),
      new InMemorySynopses(graph),
      new SplittableRandom(1)
    )
    def insert(input: Int, row: Int*) = {
      val found = mutable.Buffer.empty[Seq[Any]]
      join.insert(input, row.toVector)(result => found += result.flatten)
      found.toSeq
    }
    for (row <- Seq(Seq(1, 2), Seq(1, 3), Seq(2, 3))) assert(insert(1, row: _*).isEmpty)
    assert(insert(2, 2).isEmpty)
    assert(insert(0, 1) == Seq(Seq(1, 1, 2, 2)))
    assert(insert(2, 3) == Seq(Seq(1, 1, 3, 3)))
    assert(insert(0, 1).toSet == Set(Seq(1, 1, 2, 2), Seq(1, 1, 3, 3)))
  }

  test("finds what the nested loop finds, whatever the graph and the algorithm, while orders change") {
    val algorithms = Seq("a-greedy", "sweep", "independent", "local-swaps", "static")
    forAll(JoinCases.cases) { join =>
      for (algorithm <- algorithms)
        check(join, mjoin(join, new PipelineOrders(join.graph, algorithm, window = 3)))
    }
  }

  test("finds the same under every legal pipeline") {
    forAll(JoinCases.casesOf(2, 4)) { join =>
      val legal = (0 until join.n).map(legalPipelines(join.graph, _))
      for (k <- 0 until legal.map(_.size).max) {
        val forced = legal.indices.map(i => i -> legal(i)(k % legal(i).size)).toMap
        val orders = new PipelineOrders(join.graph, "static", forced)
        for (i <- 0 until join.n) assert(orders(i).pipeline.sameElements(forced(i)))
        check(join, mjoin(join, orders))
      }
    }
  }

  test("finds the same by walking over windows without index") {
    val some = org.scalacheck.Gen.choose(0L, 15L)
    forAll(JoinCases.casesOf(2, 4), some, some) { (join, unindexed, classes) =>
      check(join, mjoin(join, new PipelineOrders(join.graph, window = 3), unindexed, classes))
    }
  }

  test("a row to be deleted that is not there is refused") {
    val join = JoinCase(2, JoinCases.oneKey(2), Vector(), Nil)
    val refused = intercept[IllegalArgumentException] {
      mjoin(join, new PipelineOrders(join.graph)).delete(1, Vector(7))(_ => ())
    }
    assert(refused.getMessage.contains("Vector(7)") && refused.getMessage.contains("input 1"))
  }
}
