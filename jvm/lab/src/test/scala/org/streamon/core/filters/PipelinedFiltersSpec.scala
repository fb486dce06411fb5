package org.streamon.core.filters

import scala.collection.immutable.BitSet

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks
import SimulatedFilters.uniform

class PipelinedFiltersSpec extends AnyFunSuite with ScalaCheckPropertyChecks {

  private def create(name: String, n: Int, precedence: Precedence) =
    OrderingAlgorithms.create(name, n, (0 until n).toArray, 50, 0.9, precedence)

  test("emits exactly the tuples that pass all filters, whatever the algorithm") {
    val input = for {
      n <- Gen.choose(1, 130)
      vectors <- Gen.listOf(Gen.frequency(1 -> Gen.const(BitSet.empty), 3 -> DropSets.some(n)))
    } yield (n, vectors)
    forAll(input, Gen.oneOf(OrderingAlgorithms.names)) { case ((n, vectors), name) =>
      val simulated = new SimulatedFilters(create(name, n, new Precedence(n)), uniform(n))
      vectors.foreach(b => assert(simulated.executor.process(b) == b.isEmpty))
    }
  }

  test("artificial evaluations are those of the thesis's table of variants") {
    val n = 5
    // Dropped at position 1; F4 and F5 would drop it too.
    val vector = SimulatedFilters.vector("01011")
    def artificial(name: String): Seq[Long] = {
      val simulated = new SimulatedFilters(create(name, n, new Precedence(n)), uniform(n))
      simulated.process(vector)
      assert(simulated.executor.evaluations.toSeq == Seq(1, 1, 0, 0, 0))
      simulated.executor.artificial.toSeq
    }
    assert(artificial("a-greedy") == Seq(0, 0, 1, 1, 1))
    assert(artificial("independent") == Seq(0, 0, 1, 1, 1))
    assert(artificial("local-swaps") == Seq(0, 0, 1, 0, 0))
    assert(artificial("sweep") == Seq(0, 0, 0, 0, 0)) // its first stage profiles position 1
    assert(artificial("static") == Seq(0, 0, 0, 0, 0))
  }

  test("Sweep evaluates its profiled position, once, for tuples dropped before it") {
    val n = 4
    val sweep = new Sweep(n, Array(0, 1, 2, 3), stage = 1, precedence = new Precedence(n))
    val simulated = new SimulatedFilters(sweep, uniform(n))
    val positions = (1 to 6).map { _ =>
      val before = simulated.executor.artificial.clone()
      val profiled = sweep.profiledPosition
      simulated.process(1L)
      val evaluated =
        simulated.executor.artificial.indices.filter(q => simulated.executor.artificial(q) > before(q))
      assert(evaluated == Seq(profiled))
      profiled
    }
    assert(positions == Seq(1, 2, 3, 1, 2, 3))
  }

  test("a filter guarded by one that dropped the tuple is not evaluated for the profile") {
    val n = 4
    for (name <- Seq("a-greedy", "independent")) {
      val simulated = new SimulatedFilters(create(name, n, Precedence.of(n, 0 -> 1, 1 -> 2)), uniform(n))
      simulated.process(1L)
      assert(simulated.executor.artificial.toSeq == Seq(0, 0, 0, 1), name)
    }
  }

  test("no algorithm ever evaluates a filter before its guards") {
    val input = for {
      n <- DropSets.sizes(Gen.const(5), oneOf = 3)
      vectors <- Gen.listOfN(300, DropSets.some(n))
      times <- Gen.listOfN(n, Gen.choose(1L, 30L))
    } yield (n, vectors, times)
    forAll(input, Gen.oneOf(OrderingAlgorithms.names)) { case ((n, vectors, times), name) =>
      val guards = Precedence.of(n, 3 -> 0, 0 -> (n - 1))
      val r = create(name, n, guards)
      val simulated = new SimulatedFilters(r, times.toArray)
      vectors.foreach { b =>
        simulated.executor.process(b)
        assert(guards.obeyedBy(r.plan))
      }
    }
  }

  test("statistics: mean times, and drop rates of those that reach a filter") {
    val times = Array(5L, 7L, 11L)
    val vectors = Seq(1L, 1L, 3L, 2L, 4L, 4L, 6L, 7L)
    for (name <- Seq("a-greedy", "independent", "local-swaps")) {
      val r = create(name, 3, Precedence.of(3, 0 -> 1, 1 -> 2))
      assert(r.dropRate(0).isNaN && r.meanNanos(0).isNaN)
      val simulated = new SimulatedFilters(r, times)
      simulated.process(vectors: _*)
      assert((0 until 3).map(r.meanNanos) == times.map(_.toDouble).toSeq, name)
      assert((0 until 3).map(r.dropRate) == Seq(4 / 8.0, 2 / 4.0, 2 / 2.0), name)
    }
  }

  test("Sweep tells the drop rates of the stage it is in, or else of the last that knew") {
    val sweep =
      new Sweep(3, Array(0, 1, 2), stage = 8, precedence = Precedence.of(3, 0 -> 1, 1 -> 2), evidence = 1)
    val simulated = new SimulatedFilters(sweep, uniform(3))
    simulated.process(1L, 1L, 3L, 2L)
    assert((0 until 2).map(sweep.dropRate) == Seq(3 / 4.0, 1.0) && sweep.dropRate(2).isNaN)
    simulated.process(4L, 4L, 6L, 7L)
    assert(sweep.profiledPosition == 2)
    simulated.process(2L)
    assert((0 until 3).map(sweep.dropRate).take(2) == Seq(0.0, 1.0))
  }

  test("unknown algorithms and values out of range are refused by name, with what is allowed") {
    def refusal(body: => Any): String = intercept[IllegalArgumentException](body).getMessage
    val free = new Precedence(2)
    assert(
      refusal(create("greedy", 2, free)).contains(
        "'greedy': allowed are a-greedy, sweep, independent, local-swaps, static"
      )
    )
    for (name <- OrderingAlgorithms.names) {
      assert(refusal(OrderingAlgorithms.create(name, 2, Array(0, 1), 0, 0.9, free)).contains("window = 0"))
      assert(
        refusal(OrderingAlgorithms.create(name, 2, Array(0, 1), 9, 1.5, free))
          .contains("thrashAvoidance = 1.5")
      )
      assert(refusal(OrderingAlgorithms.create(name, 2, Array(0, 0), 9, 0.9, free)).contains("[0,0]"))
      assert(
        refusal(OrderingAlgorithms.create(name, 501, Array.range(0, 501), 9, 0.9, free)).contains("1 to 500")
      )
      assert(OrderingAlgorithms.create(name, 2, Array(0, 1), 9, 0.9, free).name == name)
    }
  }
}
