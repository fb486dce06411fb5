package org.streamon.lab.baselines.constraints

import org.streamon.core.constraints.{ClusteringMonitor, ConstraintKind, ScramblingMonitor}
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable

/** The worked examples of the thesis's Sections 6.4 to 6.10. Its S1 is input 0, and so on. */
class ThesisConstraintsSpec extends AnyFunSuite {
  import ConstraintKind._

  private class Example(
      edges: Seq[ManyOne],
      filter: (Int, Seq[Long]) => Boolean,
      constraints: Seq[KConstraint] = Nil
  ) {
    val graph = new DirectedJoinGraph(3, edges.toVector)
    val results = mutable.Buffer.empty[Seq[Long]]
    private val columns = Seq(Seq(0, 1), Seq(0, 1), Seq(0, 1))
    private def shown(r: JoinResult) = for (i <- 0 to 2; c <- 0 to 1) yield r.value(i, c)
    val join = new ThesisExecutor(
      graph,
      columns.toVector,
      constraints,
      r => results += shown(r)
    )
    private var sequence = 0L

    def arrive(input: Int, rows: (Int, Int)*): Unit = rows.foreach { case (a, b) =>
      sequence += 1
      join.arrive(input, Array(a.toLong, b.toLong), filter(input, Seq(a.toLong, b.toLong)), sequence)
    }

    /** Yes, No and Unknown tuples of an input. */
    def parts(input: Int): (Int, Int, Int) = (
      join.size(input, Part.Yes),
      join.size(input, Part.No),
      join.size(input, Part.Unknown)
    )

    def expireAll(input: Int): Unit = join.expire(input, sequence)
  }

  /** Graph (a): S1(A,B) -> S2(A,C), S1 -> S3(B,D), D < 8, as the examples find it. */
  private def a(s3: Seq[(Int, Int)], constraints: KConstraint*): Example = {
    val example = new Example(
      Seq(ManyOne(0, 0, 1, 0), ManyOne(0, 1, 2, 0)),
      (input, row) => input != 2 || row(1) < 8,
      constraints
    )
    example.arrive(1, (6, 20), (4, 15))
    example.arrive(2, s3: _*)
    example
  }
  private val asIn68 = Seq((7, 9), (5, 3), (10, 12))
  private val sorted = Seq((5, 3), (7, 9), (10, 12))

  /** Graph (b): S1(A,B) -> S2(B,C) -> S3(C,D), D > 10. */
  private def b(): Example =
    new Example(
      Seq(ManyOne(0, 1, 1, 0), ManyOne(1, 1, 2, 0)),
      (input, row) => input != 2 || row(1) > 10
    )

  private def k(kind: ConstraintKind, parent: Int, child: Int, k: Long) =
    KConstraint(kind, parent, child, Some(k))

  test("Example 6.3.1: a tuple whose children are there is Yes, and one with a dead child No") {
    val e = a(asIn68)
    assert(e.parts(1) == ((2, 0, 0)) && e.parts(2) == ((1, 2, 0)))
    e.arrive(0, (6, 5))
    assert(e.results.toSeq == Seq(Seq(6, 5, 6, 20, 5, 3)))
    e.arrive(0, (8, 10))
    assert(e.results.size == 1)
    // A single root keeps neither its Yes nor its No tuples.
    assert(e.parts(0) == ((0, 0, 0)))
  }

  test("Example 6.3.2: tuples wait in Unknown until a child makes all of them Yes") {
    val e = b()
    e.arrive(1, (2, 4))
    e.arrive(0, (1, 2))
    assert(e.parts(0) == ((0, 0, 1)) && e.parts(1) == ((0, 0, 1)) && e.results.isEmpty)
    e.arrive(2, (4, 12))
    assert(e.results.toSeq == Seq(Seq(1, 2, 2, 4, 4, 12)))
    assert(e.parts(0) == ((0, 0, 0)) && e.parts(1) == ((1, 0, 0)) && e.parts(2) == ((1, 0, 0)))
  }

  test("Example 6.3.3: by No tuples those above are known to join nothing") {
    val e = b()
    e.arrive(2, (6, 8))
    e.arrive(1, (3, 6))
    e.arrive(0, (9, 3))
    assert(e.parts(0) == ((0, 0, 0)) && e.parts(1) == ((0, 1, 0)) && e.parts(2) == ((0, 1, 0)))
  }

  test("Example 6.3.4: a tuple that leaves its window takes those above along") {
    val e = b()
    e.arrive(1, (2, 4))
    e.arrive(0, (1, 2))
    e.arrive(2, (4, 12))
    e.expireAll(2)
    assert(e.parts(0) == ((0, 0, 0)) && e.parts(1) == ((0, 1, 0)) && e.parts(2) == ((0, 1, 0)))
    e.join.collect()
    assert(e.parts(2) == ((0, 0, 0)))
  }

  test("Example 6.6.1: under RIDS(1) a tuple waits for one arrival") {
    val e = a(asIn68, k(RIDS, 0, 2, 1))
    e.arrive(0, (4, 10))
    assert(e.parts(0) == ((0, 0, 1)) && e.parts(2) == ((1, 0, 0)))
    e.arrive(2, (11, 1))
    assert(e.parts(0) == ((0, 0, 0)) && e.results.isEmpty)
  }

  test("Example 6.7.1: under CA(1) values close, and take their tuples along but where one waits") {
    val e = a(asIn68, k(CA, 0, 2, 1))
    val clustering = e.join.monitors(0, 2)(CA).asInstanceOf[ClusteringMonitor]
    e.arrive(0, (6, 5), (8, 8), (4, 5))
    assert(e.results.toSeq == Seq(Seq(6, 5, 6, 20, 5, 3), Seq(4, 5, 4, 15, 5, 3)))
    assert(e.parts(0) == ((0, 0, 1)) && e.parts(2) == ((1, 2, 0)))
    e.arrive(0, (11, 10))
    // C' is 4, and C,,v,, 2, 2 and 4.
    assert(Seq(5L, 8L, 10L).map(clustering.distance(_)) == Seq(2L, 2L, 0L))
    assert(e.parts(0) == ((0, 0, 1)) && e.parts(2) == ((0, 2, 0)))
    assert(clustering.hasHeldKeys, "8 waits for (8, 8)")
    e.arrive(2, (8, 1))
    assert(e.parts(2) == ((1, 2, 0)))
    e.arrive(1, (8, 2))
    assert(e.results.size == 3 && !clustering.hasHeldKeys && e.parts(2) == ((0, 2, 0)))
  }

  test("Example 6.8.1: under OAC(2) a value below the maximum of three arrivals ago never comes") {
    val e = a(asIn68, k(OAC, 0, 2, 2))
    e.arrive(0, (6, 4))
    assert(e.join.monitors(0, 2)(OAC).asInstanceOf[ScramblingMonitor].bound == 7)
    assert(e.parts(0) == ((0, 0, 0)) && e.parts(2) == ((1, 0, 0)))
  }

  test("Example 6.10.1: two constraints together let more go than either") {
    def after(constraints: KConstraint*) = {
      val e = a(sorted, constraints: _*)
      e.arrive(0, (4, 5), (6, 8), (3, 13))
      assert(e.results.toSeq == Seq(Seq(4, 5, 4, 15, 5, 3)))
      (e.parts(0)._3, e.parts(1)._1)
    }
    assert(after() == ((2, 2)))
    assert(after(k(CA, 0, 1, 0)) == ((2, 1)))
    assert(after(k(OAC, 0, 2, 0)) == ((1, 2)))
    assert(after(k(CA, 0, 1, 0), k(OAC, 0, 2, 0)) == ((1, 0)))
  }

  test("Example 6.10.2: with RIDS beside CA tuples stay longer") {
    def after(constraints: KConstraint*) = {
      val e = a(asIn68, constraints: _*)
      e.arrive(0, (6, 10), (4, 10), (8, 8))
      e
    }
    val ca = after(k(CA, 0, 2, 0))
    assert(ca.parts(0) == ((0, 0, 1)) && ca.parts(2) == ((1, 1, 0)), "(10,12) is gone")
    val both = after(k(CA, 0, 2, 0), k(RIDS, 0, 2, 3))
    assert(both.parts(0) == ((0, 0, 3)) && both.parts(2) == ((1, 0, 0)))
    both.arrive(2, (20, 1), (21, 1))
    assert(both.parts(0) == ((0, 0, 3)))
    both.arrive(2, (22, 1))
    assert(both.parts(0) == ((0, 0, 0)))
  }
}
