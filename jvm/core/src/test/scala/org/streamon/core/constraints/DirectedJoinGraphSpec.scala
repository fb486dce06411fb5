package org.streamon.core.constraints

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

  test("a declared constraint that cannot be is refused with what is allowed") {
    val graph = new DirectedJoinGraph(3, Vector(ManyOne(0, 0, 1, 0), ManyOne(1, 1, 2, 0)))
    def declared(kind: String, parent: Int, child: Int, k: Long) =
      KConstraint.declared(graph, kind, parent, child, k)
    assert(declared("rids", 0, 1, 5) == KConstraint(ConstraintKind.RIDS, 0, 1, Some(5)))
    assert(refusal(declared("FK", 0, 1, 5)).contains("'FK': allowed are RIDS, CA, OAP, OAC"))
    assert(refusal(declared("CA", 0, 1, -1)).contains("CA(-1) on 0 -> 1: expected a k of 0 or more"))
    for ((parent, child) <- Seq((0, 2), (1, 0)))
      assert(
        refusal(declared("CA", parent, child, 1))
          .contains(s"CA(1) on $parent -> $child: no such many-one join; there are 0.0 -> 1.0, 1.1 -> 2.0")
      )
    def join(constraints: KConstraint*) =
      new ConstraintExecutor(graph, Vector.fill(3)(Nil), constraints, null)
    val c = declared("OAC", 0, 1, 3)
    assert(refusal(join(c, c.copy(k = None))).contains("expected at most one of a kind on a join"))
    assert(refusal(join(c.copy(child = 2))).contains("no such many-one join"))
  }

  test("settings outside what is allowed are refused") {
    assert(refusal(MonitorSettings(growth = 0.5)).contains("growth = 0.5: expected 1 or more"))
    assert(refusal(MonitorSettings(slack = -1)).contains("slack = -1: expected 0 or more"))
    assert(refusal(MonitorSettings(retention = 1.5)).contains("retention = 1.5: expected 0 to 1"))
    assert(refusal(MonitorSettings(retention = Double.NaN)).contains("retention = NaN: expected 0 to 1"))
    assert(refusal(MonitorSettings(window = 0)).contains("window = 0: expected 1 or more arrivals"))
    assert(refusal(MonitorSettings(threshold = -1)).contains("threshold = -1"))
    assert(refusal(MonitorSettings(headroom = -1)).contains("headroom = -1"))
    assert(refusal(MonitorSettings(horizon = 0)).contains("horizon = 0"))
    assert(refusal(ExecutorSettings(collectEvery = -1)).contains("collectEvery = -1"))
    assert(refusal(NoPolicy.BySavings(sample = 0)).contains("sample = 0.0"))
    assert(refusal(NoPolicy.BySavings(thrash = 0.9)).contains("thrash = 0.9"))
    assert(refusal(NoPolicy.BySavings(period = 0)).contains("period = 0: expected 1 or more"))
    assert(refusal(new ScramblingMonitor(MonitorSettings(), None, 0)).contains("most = 0"))
  }
}
