package org.streamon.lab

import java.util.SplittableRandom
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.core.caching.{CacheMode, CacheSettings}
import org.streamon.core.joins.Row

class CachingLabSpec extends AnyFunSuite {

  private val small = Scale.quick.copy(seeds = Seq(1L, 2L), arrivals = 3000)

  private def run(wanted: String*): Report = CachingLab.run(small, wanted.toSet, (_, _, _) => ())

  /** What is counted; processor time is left out. */
  private def counted(report: Report): Seq[(String, Seq[Seq[Double]])] =
    report.figures.map(f =>
      f.figure -> f.series.filterNot(s => s.unit.contains("second") || s.unit.contains("time")).map(_.y)
    )

  test("every figure from 5.11 to 5.23 belongs to one experiment") {
    assert(CachingLab.figures == CachingLab.figures.distinct)
    assert(CachingLab.figures.toSet == (11 to 23).map("5." + _).toSet)
  }

  test("figures come with their data and checks; counts are the same in every run") {
    val figures = Seq("5.11", "5.12", "5.17", "5.18", "5.22", "5.23")
    val first = run(figures: _*)
    assert(first.figures.map(_.figure) == figures)
    assert(first.checks.map(_.figure).toSet == figures.toSet - "5.11")
    assert(counted(first) == counted(run(figures: _*)))
    first.checks.foreach(c => assert(c.found.nonEmpty))
    assert(first.figures.flatMap(_.series).flatMap(_.y).forall(_ >= 0))
    val hits = first.figures.head.series.find(_.name == "hits").get.y
    assert(hits == hits.sorted && hits.head > 0.3 && hits.last > 0.9)
    val flat = first.figures.last.series.find(s => s.name == "M" && s.unit.startsWith("steps")).get.y
    assert(flat.distinct.size == 1)
  }

  test(
    "A-Caching follows the burst of 5.22 to the globally-consistent cache, and works less than what it had"
  ) {
    val report = CachingLab.run(Scale.full.copy(seeds = Seq(9L, 10L)), Set("5.22"), (_, _, _) => ())
    val (last, others) = report.checks.partition(_.claim.contains("pipelines join S and T first"))
    assert(others.size == 8 && others.forall(_.verdict == Check.Reproduced), others)
    assert(last.size == 2 && last.forall(_.verdict == Check.NotReproduced), last)
  }

  test("at D7 nothing matches: an MJoin looks up once for an element, and a tree keeps nothing") {
    val report = run("5.21")
    val d7 = report.figures.head.x.indexOf("D7")
    for (plan <- Seq("M", "X")) {
      val steps = report.figures.head.series.find(s => s.name == plan && s.unit.startsWith("steps")).get.y
      assert(steps(d7) == 1.0, plan)
    }
  }

  test("streams bring the same values in the same sequence, each as often as its multiplicity") {
    val rows: (Int, Int) => Seq[Row] = (input, v) => Seq.fill(input + 1)(Vector(v))
    val streams = new ValueStreams(Vector(4, 6), new SplittableRandom(5), rows)
    val elements = streams.elements(20) ++ streams.elements(20)
    for (input <- 0 to 1) {
      val (in, out) = elements.filter(_.input == input).partition(_.insert)
      assert(in.map(_.row).toSeq == (0 until 40).flatMap(v => Seq.fill(input + 1)(Vector(v))))
      assert(out.map(_.row).sameElements(in.map(_.row).dropRight(Seq(4, 6)(input))))
    }
  }

  test("plans with caches and without give the same number of results, at prices for each kind of step") {
    val work = JoinWork(10, lookUps = 4, rows = 3, cacheSteps = 2, read = 6, created = 1, cpuNanos = 5)
    assert(work.steps == 1.0 && work.price == (400 + 60 + 60 + 30 + 25) / 10.0)
    assert(results(batch = 0, None) == results(batch = 0, Some(ThreeWay.cacheOfRS)))
  }

  test("so do they in micro-batches, whose rows leave without a result") {
    val global = ThreeWay.cacheOfST.copy(mode = CacheMode.Global)
    val found = Seq(None, Some(ThreeWay.cacheOfRS), Some(global)).map(results(batch = 70, _))
    assert(found.distinct.size == 1 && found.head < results(batch = 0, None))
  }

  private def results(batch: Int, caching: Option[CacheSettings]): Long = {
    val rows: (Int, Int) => Seq[Row] = (input, v) => Seq(ThreeWay.row(input, v % 50))
    val elements = new ValueStreams(Vector(20, 20, 20), new SplittableRandom(5), rows).elements(500)
    val contender = new JoinContender(ThreeWay.graph, ThreeWay.pipelines, caching, 1, batch = batch)
    contender.feed(elements)
    assert(contender.results > 400)
    contender.results
  }
}
