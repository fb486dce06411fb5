package org.streamon.core.joins

import org.streamon.lab.baselines.XJoin
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks
import JoinCases._

class XJoinSpec extends AnyFunSuite with ScalaCheckPropertyChecks {

  test("finds what the nested loop finds, whatever the tree, and keeps what its subresults are") {
    forAll(casesOf(2, 5)) { join =>
      val trees = JoinTree.all(join.graph)
      for (tree <- trees.take(3) ++ trees.takeRight(1)) {
        val xjoin = new XJoin(join.graph, tree, join.predicates)
        JoinCases.feed(join, (i, row) => xjoin.insert(i, row), (i, row) => xjoin.delete(i, row))()
        if (join.n == 2) assert(xjoin.materialized == 0)
      }
    }
  }

  test("counts of materialized tuples: R(A), S(A,B), T(B)") {
    val graph = new JoinGraph(3, Seq(Equality(0, 0, 1, 0), Equality(1, 1, 2, 0)))
    val xjoin = new XJoin(graph, JoinTree.leftDeep(0, 1, 2))
    def found(change: (IndexedSeq[Row] => Unit) => Unit): Int = {
      var results = 0
      change(_ => results += 1)
      results
    }
    assert(found(xjoin.insert(1, Vector(1, 2))) == 0 && found(xjoin.insert(1, Vector(1, 3))) == 0)
    assert(found(xjoin.insert(0, Vector(1))) == 0 && xjoin.materialized == 2 && xjoin.maintenance == 2)
    assert(found(xjoin.insert(2, Vector(2))) == 1 && xjoin.materialized == 2)
    // Windows R and S are looked into for each other's rows, T for their two composites, those for T's row.
    assert(xjoin.probes == 2 + 1 + 2 + 1)
    assert(found(xjoin.delete(1, Vector(1, 2))) == 1 && xjoin.materialized == 1 && xjoin.maintenance == 3)
    assert(found(xjoin.delete(0, Vector(1))) == 0 && xjoin.materialized == 0)
  }

  test("all trees without a Cartesian product") {
    def count(n: Int, equalities: Seq[Equality]) = JoinTree.all(new JoinGraph(n, equalities)).size
    assert((2 to 5).map(n => count(n, oneKey(n))) == Seq(1, 3, 15, 105))
    assert((2 to 5).map(n => count(n, distinctClasses(chain(n)))) == Seq(1, 2, 5, 14))
  }

  test("a tree that does not fit is refused") {
    import JoinTree.{leftDeep, Leaf, Node}
    val chained = new JoinGraph(3, distinctClasses(chain(3)))
    def refusal(tree: JoinTree): String =
      intercept[IllegalArgumentException](new XJoin(chained, tree)).getMessage
    assert(refusal(leftDeep(0, 2, 1)).contains("no equality between 0 and 2"))
    assert(refusal(leftDeep(0, 1)).contains("expected all inputs 0 to 2"))
    assert(refusal(Node(leftDeep(0, 1), Node(Leaf(1), Leaf(2)))).contains("each input once"))
  }
}
