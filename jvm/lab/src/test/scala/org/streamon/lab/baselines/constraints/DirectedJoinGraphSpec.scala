package org.streamon.lab.baselines.constraints

import org.streamon.core.constraints.ConstraintKind
import java.util.SplittableRandom
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.core.joins.Bits

class DirectedJoinGraphSpec extends AnyFunSuite {

  private def refusal(make: => Any): String = intercept[IllegalArgumentException](make).getMessage

  test(
    "the roots are the only minimal cover, and only streams below all of them hold one among their parents"
  ) {
    for (n <- 2 to 6; seed <- 1L to 60L) {
      val graph = ManyOneCase.graph(n, new SplittableRandom(seed))
      val covers = (1L until (1L << n)).filter { set =>
        Bits.members(set).map(graph.reachable).foldLeft(0L)(_ | _) == (1L << n) - 1
      }
      val minimal = covers.filter(c => !covers.exists(o => o != c && Bits.includes(c, o)))
      assert(minimal == Seq(graph.roots), s"n = $n, seed $seed")
      for (i <- 0 until n)
        assert(
          graph.belowAllRoots(i) == minimal
            .exists(m => graph.parents(i) != 0L && Bits.includes(graph.parents(i), m)),
          s"n = $n, seed $seed, input $i"
        )
    }
  }

  test("only trees are allowed") {
    def graph(n: Int, edges: ManyOne*) = new DirectedJoinGraph(n, edges.toVector)
    assert(refusal(graph(1)).contains("n = 1: allowed are 2 to 64 inputs"))
    assert(refusal(graph(3, ManyOne(0, 0, 1, 0))).contains("of 3 inputs: expected a tree, that is 2 joins"))
    val cycle = Seq(ManyOne(0, 0, 1, 0), ManyOne(1, 1, 2, 0), ManyOne(2, 1, 0, 1))
    assert(refusal(graph(3, cycle: _*)).contains("expected a tree"))
    val twice = Seq(ManyOne(0, 0, 1, 0), ManyOne(0, 1, 1, 1))
    assert(refusal(graph(3, twice: _*)).contains("expected a tree"))
    assert(
      refusal(graph(2, ManyOne(0, 0, 2, 0))).contains("0.0 -> 2.0: expected two different inputs of 0 to 1")
    )
    assert(refusal(graph(2, ManyOne(0, -1, 1, 0))).contains("columns count from 0"))
  }

  test("constraints that are not on a join, or two of a kind on one, are refused") {
    val graph = new DirectedJoinGraph(3, Vector(ManyOne(0, 0, 1, 0), ManyOne(1, 1, 2, 0)))
    def join(constraints: KConstraint*) =
      new ThesisExecutor(graph, Vector.fill(3)(Nil), constraints, null)
    val c = KConstraint(ConstraintKind.OAC, 0, 1, Some(3))
    assert(refusal(c.copy(k = Some(-1))).contains("OAC(-1) on 0 -> 1: expected a k of 0 or more"))
    assert(refusal(join(c, c.copy(k = None))).contains("expected at most one of a kind on a join"))
    assert(
      refusal(join(c.copy(child = 2)))
        .contains("OAC(3) on 0 -> 2: no such many-one join; there are 0.0 -> 1.0, 1.1 -> 2.0")
    )
  }

  test("settings outside what is allowed are refused") {
    assert(refusal(ExecutorSettings(collectEvery = -1)).contains("collectEvery = -1"))
    assert(refusal(NoComponentPolicy.BySavings(sample = 0)).contains("sample = 0.0"))
    assert(refusal(NoComponentPolicy.BySavings(thrash = 0.9)).contains("thrash = 0.9"))
    assert(refusal(NoComponentPolicy.BySavings(period = 0)).contains("period = 0: expected 1 or more"))
  }
}
