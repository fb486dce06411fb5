package org.streamon.lab

import java.util.SplittableRandom

import org.scalatest.funsuite.AnyFunSuite
import org.streamon.core.routes.{Attribute, AttributeValues, ImpreciseRoute, Routes}
import org.streamon.lab.baselines.routes.{ContentBasedRouting, Eddy}

class RouteLabSpec extends AnyFunSuite {
  private val small = Scale.quick.copy(seeds = Seq(1L, 2L), warm = 150000, measured = 20000)

  private case class Row(kind: String, x: Double, drops: Set[Int]) extends AttributeValues {
    def isNull(attribute: Int): Boolean = false
    def number(attribute: Int): Double = x
    def category(attribute: Int): String = kind
  }
  private val attributes = Vector(Attribute.category("kind"), Attribute.number("x"))

  private def rows(count: Int, seed: Long): Seq[Row] = {
    val random = new SplittableRandom(seed)
    Seq.fill(count) {
      val kind = random.nextInt(2)
      Row(s"k$kind", random.nextDouble(), if (random.nextDouble() < 0.9) Set(kind) else Set.empty)
    }
  }

  test("content-based routing finds the attribute that tells what an operator passes") {
    val routing = new ContentBasedRouting(attributes, 2)
    rows(5000, 1).foreach(row => (0 to 1).foreach(q => routing.observe(q, row, !row.drops(q))))
    assert((0 to 1).map(routing.classifierOf) == Seq(0, 0))
    assert(routing.selectivity(0, Row("k0", 0.5, Set.empty)) < 0.2)
    assert(routing.selectivity(0, Row("k1", 0.5, Set.empty)) > 0.9)
  }

  test("an Eddy passes the rows that no operator drops, and sends each kind to its own operator first") {
    for (batch <- Seq(1, 7)) {
      val eddy = new Eddy[Row](attributes, 2, batch, 0.05, new SplittableRandom(2))
      val all = rows(20000, 3)
      assert(eddy.process(all)((q, row) => !row.drops(q)) == all.count(_.drops.isEmpty))
      val each = eddy.evaluations.toDouble / all.size
      // 1.1 at best: nine rows in ten leave at the first operator.
      if (batch == 1) assert(each < 1.2 && eddy.decisions == eddy.evaluations)
      else assert(each < 1.6 && eddy.decisions < eddy.evaluations / 3)
    }
  }

  test("streams have the selectivities that they say, and two columns tell the parts apart") {
    val streams = RouteStreams.skewed(new SplittableRandom(4))
    val drawn = streams.rows(60000, new SplittableRandom(5))
    for (part <- 0 until 3; q <- 0 until streams.operators) {
      val own = drawn.filter(_.part == part)
      val passes = own.count(row => (row.drops >>> q & 1L) == 0L).toDouble / own.length
      assert(math.abs(passes - streams.selectivity(part)(q)) < 0.02)
    }
    assert(drawn.groupBy(_.category(0)).values.forall(_.map(_.part).distinct.length == 1))
    assert(streams.selectivity.map(_.indexOf(0.1)).distinct.size == 3)
    assert(RouteStreams.uniform(new SplittableRandom(4)).selectivity.distinct.size == 1)
  }

  test("no plan looks up less than the best order of each part, which a single plan is far from") {
    val streams = RouteStreams.skewed(new SplittableRandom(6))
    val contenders = RouteContender.all(streams, 7)
    val pool = streams.rows(200000, new SplittableRandom(8))
    contenders.foreach(_.feed(pool))
    contenders.foreach(_.mark())
    val fresh = streams.rows(50000, new SplittableRandom(9))
    contenders.foreach(_.feed(fresh))
    val inTurn = contenders.map(c => c.name -> c.since.inTurn).toMap
    assert(contenders.forall(_.since.rows == 50000))
    assert(inTurn.values.forall(_ >= inTurn(RouteContender.Oracle) * 0.999), inTurn)
    assert(inTurn(RouteContender.SinglePlan) > 1.2 * inTurn(RouteContender.Oracle))
    assert(inTurn(RouteContender.QueryMesh) < 1.1 * inTurn(RouteContender.Oracle))
  }

  test("routes without an open step look up what their orders do, and those with one by decisions") {
    val streams = RouteStreams.skewed(new SplittableRandom(10))
    val rows = streams.rows(20000, new SplittableRandom(11))
    val mesh = RouteContender.mesh("", Routes.single(0 until streams.operators), RouteContender.settings, 12)
    mesh.feed(streams.rows(300000, new SplittableRandom(13)))
    assert(mesh.plan.orders.size > 1)
    def work(contender: RouteContender) = {
      contender.feed(rows)
      contender.since.copy(cpuNanos = 0)
    }
    val fixed = work(new RouteContender.Mesh("", mesh.plan, false, 0.0, RouteContender.settings, 14))
    val precise = RouteImprecision.precise(mesh.plan)
    assert(work(new RouteImprecision.Lotteries(mesh.plan, precise, 15)) == fixed)
    val open =
      mesh.plan.orders.map(order => new ImpreciseRoute(Vector(order.take(3)) ++ order.drop(3).map(Vector(_))))
    val drawn = work(new RouteImprecision.Lotteries(mesh.plan, open, 15))
    // Of three alternatives, then of two; the third step is certain.
    assert(drawn.decisions >= rows.length && drawn.compared >= 3 * rows.length)
    assert(drawn.compared == 3 * rows.length + 2 * (drawn.decisions - rows.length))
    assert(drawn.inTurn > fixed.inTurn && drawn.tests == fixed.tests)
  }

  test("figures come with data, checks and progress, and counts are the same in every run") {
    def run() = {
      val steps = Seq.newBuilder[(Int, Int)]
      val report =
        RouteLab.run(small, Set("10", "11", "13", "3.11"), (done, total, _) => steps += ((done, total)))
      (report, steps.result())
    }
    val (report, steps) = run()
    assert(report.figures.map(_.figure) == Seq("10", "11", "13", "3.11"))
    assert(report.checks.map(_.figure).toSet == Set("10", "11", "13", "3.11"))
    report.figures.foreach(f =>
      f.series.foreach(s => assert(s.y.length == f.x.length && s.y.forall(_ >= 0.0)))
    )
    assert(steps.map(_._1) == (0 to steps.last._2))
    assert(run()._1 == report)
  }
}
