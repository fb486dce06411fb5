package org.streamon.core.joins

import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks
import JoinCases._

class JoinGraphSpec extends AnyFunSuite with ScalaCheckPropertyChecks {
  private def graph(n: Int, equalities: Equality*) = new JoinGraph(n, equalities)

  test("key classes are the transitive closure, in the sequence in which they are named") {
    val g = graph(4, Equality(3, 1, 2, 0), Equality(0, 0, 1, 0), Equality(1, 0, 2, 0), Equality(0, 5, 1, 7))
    assert(
      g.classes.map(_.columns) == Vector(
        Vector(Vector(0), Vector(0), Vector(0), Vector(1)),
        Vector(Vector(5), Vector(7), Vector(), Vector())
      )
    )
    assert(g.classesOf(0) == 3L && g.classesOf(3) == 1L && g.shared(0, 1) == 3L && g.shared(1, 3) == 1L)
    assert(g.classes(1).column(1) == 7 && g.classes(1).column(2) == -1)
  }

  test("one = keeps null out of its whole class") {
    val g = graph(
      4,
      Equality(0, 0, 1, 0, nullSafe = true),
      Equality(1, 0, 2, 0),
      Equality(2, 1, 3, 0, nullSafe = true)
    )
    assert(g.classes.map(_.nullSafe) == Vector(false, true))
    assert(!g.accepts(0, _ => null) && g.accepts(3, _ => null) && g.accepts(2, Vector(1, null)))
    assert(!g.accepts(2, Vector(null, 1)))
  }

  test("a row whose columns of one class differ joins with nothing") {
    val g = graph(2, Equality(0, 0, 1, 0), Equality(0, 1, 1, 0))
    assert(g.classes.map(_.columns) == Vector(Vector(Vector(0, 1), Vector(0))))
    assert(g.accepts(0, Vector(3, 3)) && !g.accepts(0, Vector(3, 4)))
  }

  test("one key class is all classes in all inputs") {
    assert(graph(4, oneKey(4): _*).oneKeyClass && !graph(4, distinctClasses(chain(4)): _*).oneKeyClass)
    assert(graph(3, oneKey(3) ++ oneKey(3).map(_.copy(leftColumn = 1, rightColumn = 1)): _*).oneKeyClass)
    val rst = graph(3, Equality(0, 0, 1, 0), Equality(1, 1, 2, 0))
    assert(rst.commonClasses == 0L && rst.connected)
    assert(!graph(4, distinctClasses(Seq((0, 1), (2, 3))): _*).connected)
  }

  test("a tree hangs inputs by a class of three; a key shared by all may have others beside it") {
    val g = graph(4, Equality(0, 0, 1, 0), Equality(1, 0, 2, 0), Equality(2, 1, 3, 0))
    assert(SpanningTree.of(g, 0).parents == Vector(-1, 0, 0, 2))
    val triangle = distinctClasses(chain(3) :+ ((0, 2)))
    val keyed = graph(3, triangle ++ (1 to 2).map(i => Equality(0, 9, i, 9)): _*)
    assert(keyed.commonClasses == 8L && !keyed.oneKeyClass)
  }

  test("the spanning tree shares the most classes, then hangs inputs near the root") {
    // 0-1 on a, 0-2 on b, 1-2 on c and d.
    val g = graph(3, Equality(0, 0, 1, 0), Equality(0, 1, 2, 0), Equality(1, 1, 2, 1), Equality(1, 2, 2, 2))
    assert(SpanningTree.of(g, 0).parents == Vector(-1, 0, 1))
    assert(SpanningTree.of(g, 2).parents == Vector(2, 2, -1) && SpanningTree.of(g, 2).weight == 3)
    val cycle = graph(4, distinctClasses(chain(4) :+ ((0, 3))): _*)
    assert(SpanningTree.of(cycle, 0).parents == Vector(-1, 0, 1, 0))
  }

  test("spanning trees from all roots have one weight, the equalities that they enforce") {
    forAll(cases) { join =>
      val g = join.graph
      assert(g.connected)
      val trees = (0 until g.n).map(SpanningTree.of(g, _))
      val enforced = trees.map(tree =>
        (0 until g.n).filter(_ != tree.root).map(j => Bits.size(g.shared(j, tree.parents(j)))).sum
      )
      assert(enforced == trees.map(_.weight) && enforced.distinct.size == 1)
      if (g.oneKeyClass) assert(trees.forall(_.depths.forall(_ <= 1)))
    }
  }

  test("what is out of range is refused, with what is allowed") {
    def refusal(body: => Any): String = intercept[IllegalArgumentException](body).getMessage
    assert(refusal(graph(1)).contains("2 to 64"))
    assert(refusal(graph(2, Equality(0, 0, 2, 0))).contains("0 to 1"))
    assert(refusal(graph(2, Equality(0, 0, 0, 1))).contains("within one input"))
    assert(refusal(graph(2, Equality(0, -1, 1, 0))).contains("columns count from 0"))
    assert(refusal(new JoinGraph(3, oneKey(3), Vector(2L))).contains("{1}: expected two or more of 0 to 2"))
    assert(refusal(new JoinGraph(3, oneKey(3), Vector(9L))).contains("{0,3}"))
    assert(refusal(graph(2, (0 to 64).map(c => Equality(0, c, 1, c)): _*)).contains("at most 64"))
    assert(refusal(SpanningTree.of(graph(3, oneKey(2): _*), 0)).contains("not connected"))
  }
}
