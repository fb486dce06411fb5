package org.streamon.lab

import java.util.SplittableRandom
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.core.constraints._
import org.streamon.lab.baselines.constraints._
import ConstraintStreams._

class ConstraintLabSpec extends AnyFunSuite {

  private val small = Scale.quick.copy(seeds = Seq(1L), arrivals = 2500)

  private def run(wanted: String*): Report = ConstraintLab.run(small, wanted.toSet, (_, _, _) => ())

  test("every figure from 6.10 to 6.18, and the tables, belong to one experiment") {
    assert(ConstraintLab.figures == ConstraintLab.figures.distinct)
    assert(ConstraintLab.figures.toSet == (10 to 18).map("6." + _).toSet ++ Set("T6.1", "T6.3"))
  }

  test("figures come with their data and checks; counts are the same in every run") {
    val wanted = ConstraintLab.figures.filterNot(_.startsWith("T"))
    val first = run(wanted: _*)
    assert(first.figures.map(_.figure) == wanted && first.checks.map(_.figure).toSet == wanted.toSet)
    first.checks.foreach(c => assert(c.found.nonEmpty))
    assert(first.figures == run(wanted: _*).figures)
    val exact = first.checks.filter(_.claim.startsWith("no result is missing"))
    assert(exact.size == 14 && exact.forall(_.verdict == Check.Reproduced), exact.map(_.found))
  }

  test("memory of tuples under RIDS is as derived, even at a small scale") {
    val levels = run("6.10").checks.filter(_.claim.endsWith("as derived (the thesis's executor)"))
    assert(levels.map(_.verdict) == Seq(Check.Reproduced), levels.map(_.found))
  }

  test("tables of times are positive ratios of joins with the same results") {
    val report = run("T6.1", "T6.3")
    assert(report.figures.map(_.figure) == Seq("T6.1", "T6.3"))
    assert(report.figures.flatMap(_.series).flatMap(_.y).forall(_ > 0))
    val exact =
      report.checks.filter(c => Seq("no result is missing", "results stay exact").exists(c.claim.startsWith))
    assert(exact.size == 4 && exact.forall(_.verdict == Check.Reproduced), exact.map(_.found))
  }

  test("streams keep what they are made to keep, about") {
    val count = 20000
    def k(
        arrivals: Array[Arriving],
        graph: DirectedJoinGraph,
        kind: ConstraintKind,
        parent: Int,
        child: Int
    ) =
      ConstraintContender.measured(ConstraintEngine.Thesis, graph, arrivals, kind, parent, child).k.get
    def near(found: Long, k: Int) = assert(found > 0.8 * k && found <= 1.2 * k, s"$found for $k")
    val random = new SplittableRandom(7)
    val late = rids(count, constant(200), random)
    for (child <- 1 to 2) near(k(late, graphA, ConstraintKind.RIDS, 0, child), 200)
    assert(Seq(0, 1, 2).map(i => late.count(_.input == i)) == Seq(5, 1, 1).map(_ * (count / 7)))
    val exact = rids(count, constant(0), random)
    assert(k(exact, graphA, ConstraintKind.RIDS, 0, 1) == 0)
    val nearly = drifting(count, constant(500), random)
    for (parent <- 0 to 1; kind <- Seq(ConstraintKind.CA, ConstraintKind.OAP))
      near(k(nearly, graphB, kind, parent, 2), 500)
    for (parent <- 0 to 1) assert(k(nearly, graphB, ConstraintKind.RIDS, parent, 2) == 0)
    val runs = drifting(count, constant(0), random)
    assert(k(runs, graphB, ConstraintKind.CA, 0, 2) == 0 && k(runs, graphB, ConstraintKind.OAP, 0, 2) == 0)
    near(k(scrambledChildren(count, 300, random), graphC, ConstraintKind.OAC, 0, 1), 300)
    val pair = runsAndScrambled(count, 300, random)
    assert(k(pair, graphA, ConstraintKind.CA, 0, 1) == 0)
    near(k(pair, graphA, ConstraintKind.OAC, 0, 2), 300)
    val both = clusteredAndLate(count, 500, 100, random)
    near(k(both, graphC, ConstraintKind.CA, 0, 1), 500)
    near(k(both, graphC, ConstraintKind.RIDS, 0, 1), 100)
  }

  test("cars on Linear Road report every 30 seconds and leave once") {
    val events = new LinearRoadStreams(200, 5, 3).curCarSeg
    val seconds =
      events.filter(e => e.input == 0 && e.row != null).groupBy(_.row(0)).map(_._2.map(_.order).toSeq)
    assert(seconds.size == 200 && seconds.forall(s => s.zip(s.tail).forall { case (a, b) => b - a == 30 }))
    assert(events.map(_.order).toSeq == events.map(_.order).sorted.toSeq)
    val active = events.filter(_.input == 1)
    assert(
      active.count(_.row != null) == 200 && active.filter(_.row == null).map(_.leaves).distinct.length > 150
    )
  }
}
