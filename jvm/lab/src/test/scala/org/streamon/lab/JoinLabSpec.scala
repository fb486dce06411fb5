package org.streamon.lab

import java.util.SplittableRandom
import org.scalatest.funsuite.AnyFunSuite

class JoinLabSpec extends AnyFunSuite {

  private val small = Scale.quick.copy(seeds = Seq(1L, 2L), arrivals = 2000)

  test("figures come with their data and checks, the same in every run") {
    def report = JoinLab.run(small, JoinLab.figures.toSet, (_, _, _) => ())
    val first = report
    assert(first.figures.map(_.figure) == Seq("5.21", "drift") && first.checks.size == 6)
    assert(first.json == report.json)
    val values = first.figures.head.series.map(s => s.name -> s.y).toMap
    for (k <- TablePoints.all.indices) {
      assert(values("best fixed orders")(k) <= values("worst fixed orders")(k))
      // One look-up for each element at least, and three at most.
      assert(values("best fixed orders")(k) >= 1.0 && values("worst fixed orders")(k) <= 3.0)
    }
    // At D7 nothing matches: one look-up for each element, and a tree has nothing to keep.
    val d7 = TablePoints.all.indexWhere(_.name == "D7")
    assert(values("worst fixed orders")(d7) == 1.0 && values("best xjoin: subresults held")(d7) == 0.0)
  }

  test("streams have the pairwise selectivities of Table 5.2") {
    val names = (0 until 4).combinations(2).toSeq
    for (point <- TablePoints.all) {
      val random = new SplittableRandom(7)
      val counts =
        (0 until 4).map(i =>
          Seq.fill(100000)(point.draw(i, random)).groupBy(identity).map(v => v._1 -> v._2.size)
        )
      for ((pair, selectivity) <- names.zip(point.selectivities)) {
        val matches = counts(pair(0)).map { case (v, k) => k.toDouble * counts(pair(1)).getOrElse(v, 0) }.sum
        val found = matches / 1e10
        assert(math.abs(found - selectivity) <= 0.08 * selectivity + 1e-8, s"${point.name}, $pair: $found")
      }
    }
  }

  test("a window holds the latest rows") {
    val streams = new JoinStreams(Vector(3.0, 1.0), 5, new SplittableRandom(3))
    var next = 0
    val elements = streams.elements(400, (_, _) => { next += 1; next })
    for (input <- 0 to 1) {
      val (in, out) = elements.filter(_.input == input).partition(_.insert)
      assert(out.map(_.row).sameElements(in.map(_.row).dropRight(5)))
    }
    assert(math.abs(elements.count(e => e.insert && e.input == 0) - 300) < 40)
  }
}
