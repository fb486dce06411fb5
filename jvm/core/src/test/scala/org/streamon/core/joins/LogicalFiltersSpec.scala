package org.streamon.core.joins

import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks
import JoinCases._

class LogicalFiltersSpec extends AnyFunSuite with ScalaCheckPropertyChecks {

  // Thesis, Figure 5.3a, windows from 1: edges 1-2, 1-3, 3-4, 3-5, 5-6.
  private val figure =
    new JoinGraph(
      6,
      distinctClasses(Seq(1 -> 2, 1 -> 3, 3 -> 4, 3 -> 5, 5 -> 6).map(e => (e._1 - 1, e._2 - 1)))
    )

  /** Numbers as the thesis counts, from 1. */
  private def named(windows: Array[Int]): Seq[Int] = windows.toSeq.map(_ + 1)
  private def numbers(named: Int*): Array[Int] = named.map(_ - 1).toArray

  test("thesis, Figure 5.3a: paths, and the pipeline of an order") {
    val filters = new LogicalFilters(figure, 0)
    assert(
      (0 until filters.size).map(q => named(filters.path(q))) ==
        Seq(Seq(2), Seq(3), Seq(3, 4), Seq(3, 5), Seq(3, 5, 6))
    )
    // Its A-Greedy order F3, F2, F1, F4, F5.
    assert(named(filters.pipeline(numbers(3, 2, 1, 4, 5))) == Seq(3, 4, 2, 5, 6))
    assert(filters.legal(numbers(2, 3, 4, 5, 6)) && !filters.legal(numbers(2, 4, 3, 5, 6)))
  }

  test("one key class: each path is its window alone, and every pipeline is legal") {
    val graph = new JoinGraph(4, oneKey(4))
    for (i <- 0 until 4) {
      val filters = new LogicalFilters(graph, i)
      assert((0 until filters.size).forall(filters.path(_).length == 1))
      (0 until 4).filter(_ != i).permutations.foreach(p => assert(filters.legal(p.toArray)))
    }
  }

  test("a leaf of a star joins with the root first") {
    val graph = new JoinGraph(4, Seq(Equality(0, 0, 1, 0), Equality(0, 1, 2, 0), Equality(0, 2, 3, 0)))
    val root = new LogicalFilters(graph, 0)
    assert((0 until 3).forall(root.path(_).length == 1))
    val leaf = new LogicalFilters(graph, 2)
    val legal = Seq(0, 1, 3).permutations.filter(p => leaf.legal(p.toArray)).toSet
    assert(legal == Set(Seq(0, 1, 3), Seq(0, 3, 1)))
  }

  test("orders give legal pipelines; each legal pipeline has an order") {
    forAll(casesOf(2, 5)) { join =>
      for (i <- 0 until join.n) {
        val filters = new LogicalFilters(join.graph, i)
        val windows = (0 until join.n).filter(_ != i)
        assert((0 until filters.size).map(filters.window) == windows)
        val legal = windows.permutations.filter(p => filters.legal(p.toArray)).toSet
        val made = Array.range(0, filters.size).permutations.map(filters.pipeline(_).toSeq).toSet
        assert(made == legal)
        legal.foreach(p => assert(filters.pipeline(filters.order(p.toArray)).toSeq == p))
        // Legal pipelines never need a Cartesian product.
        for (p <- legal; k <- p.indices)
          assert((i +: p.take(k)).exists(join.graph.shared(_, p(k)) != 0L))
      }
    }
  }

  test("what is not legal is refused by name") {
    val filters = new LogicalFilters(figure, 0)
    def refusal(pipeline: Int*) =
      intercept[IllegalArgumentException](filters.order(pipeline.toArray)).getMessage
    assert(refusal(1, 3, 2, 4, 5).contains("[1,3,2,4,5] of input 0: window 3 must come after 2"))
    assert(refusal(1, 2).contains("expected each of 1, 2, 3, 4, 5 once"))
    assert(intercept[IllegalArgumentException](new LogicalFilters(figure, 6)).getMessage.contains("0 to 5"))
    assert(
      intercept[IllegalArgumentException](new LogicalFilters(new JoinGraph(2, Nil), 0)).getMessage
        .contains("not connected")
    )
  }
}
