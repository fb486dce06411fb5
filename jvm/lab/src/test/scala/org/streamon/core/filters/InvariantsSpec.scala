package org.streamon.core.filters

import scala.collection.immutable.BitSet

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

/** After every profile tuple, on random input and under random guards that come while it runs: the kept
  * entries equal a recomputation from the full drop vectors, and the algorithm's invariant holds among the
  * filters that may move.
  */
class InvariantsSpec extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 300)

  private case class Run(
      n: Int,
      times: Seq[Long],
      window: Int,
      alpha: Double,
      vectors: Seq[BitSet],
      guards: Seq[(Int, (Int, Int))]
  )

  private val runs = for {
    n <- DropSets.sizes(Gen.choose(1, 6), oneOf = 50)
    times <- Gen.listOfN(n, Gen.oneOf(0L, 1L, 2L, 5L, 40L))
    window <- Gen.choose(1, 30)
    alpha <- Gen.oneOf(0.5, 0.9, 1.0)
    vectors <- Gen.listOfN(60, DropSets.some(n))
    guards <- Gen.resize(
      4,
      Gen.listOf(Gen.zip(Gen.choose(0, 59), Gen.choose(0, n - 1), Gen.choose(0, n - 1)))
    )
  } yield Run(n, times, window, alpha, vectors, guards.map { case (at, g, q) => at -> (g -> q) })

  /** What is known after a step: full drop vectors of the profile tuples so far, and the guards so far. */
  private case class Step(n: Int, order: Array[Int], profiled: Seq[BitSet], guards: Precedence) {
    private val prefixes = Array.tabulate(n)(Orders.prefix(order, _))

    /** By position of the filter that is the first to drop a tuple: the rows that it counts in end there. */
    private val first = profiled.map(b => order.indexWhere(b))

    /** V[r][c] of the latest `count` profile tuples, by its definition. */
    def entry(r: Int, c: Int, count: Int): Int =
      (math.max(profiled.size - count, 0) until profiled.size)
        .count(k => first(k) >= r && profiled(k)(order(c)))

    def mayMove(c: Int, r: Int): Boolean = guards.allows(order(c), prefixes(r))
  }

  private def follow[R <: OrderingAlgorithm](algorithm: Run => R)(check: (Run, R, Step) => Unit): Unit =
    forAll(runs) { run =>
      val r = algorithm(run)
      val simulated = new SimulatedFilters(r, run.times.toArray)
      val guards = new Precedence(run.n)
      run.vectors.indices.foreach { k =>
        run.guards.filter(_._1 == k).foreach { case (_, (guard, guarded)) =>
          assert(r.precede(guard, guarded) == guards.add(guard, guarded))
          assert(guards.obeyedBy(r.plan))
        }
        simulated.executor.process(run.vectors(k))
        val step = Step(run.n, r.plan, run.vectors.take(k + 1).filter(_.nonEmpty).toIndexedSeq, guards)
        assert(r.plan.sorted.sameElements(0 until run.n))
        assert(guards.obeyedBy(r.plan))
        check(run, r, step)
      }
    }

  private def mean(r: OrderingAlgorithm, q: Int): Double = if (r.meanNanos(q).isNaN) 1.0 else r.meanNanos(q)

  /** No filter that may stand at r has a ratio alpha times better than the one that does. */
  private def assertHolds(
      run: Run,
      r: OrderingAlgorithm,
      step: Step,
      row: Int,
      rival: Int,
      own: Int,
      its: Int
  ): Unit = {
    val inPlace = own / mean(r, step.order(row))
    val other = its / mean(r, step.order(rival))
    assert(
      !step.mayMove(rival, row) || inPlace >= run.alpha * other - 1e-9,
      s"position $row against $rival in ${step.order.toSeq}"
    )
  }

  for (exchange <- Seq(false, true))
    test(s"A-Greedy keeps its view exact and the Greedy Invariant (exchange: $exchange)") {
      follow(run =>
        new AGreedy(
          run.n,
          (0 until run.n).toArray,
          run.window,
          run.alpha,
          new Precedence(run.n),
          evidence = 1,
          exchange = exchange
        )
      ) { (run, a, step) =>
        for (row <- 0 until run.n; c <- row until run.n if step.mayMove(c, row)) {
          assert(a.view(row, c) == step.entry(row, c, run.window))
          assertHolds(run, a, step, row, c, a.view(row, row), a.view(row, c))
        }
        val recomputed = new MatrixView(run.n)
        recomputed.rebuild(a.profileWindow, step.order)
        for (row <- 0 until run.n; c <- row until run.n) assert(a.view(row, c) == recomputed(row, c))
      }
    }

  test("Independent keeps its row exact and its invariant") {
    follow(run =>
      new Independent(
        run.n,
        (0 until run.n).toArray,
        run.window,
        run.alpha,
        new Precedence(run.n),
        evidence = 1
      )
    ) { (run, a, step) =>
      for (row <- 0 until run.n; c <- row until run.n) {
        val (own, its) = (a.firstRow(step.order(row)), a.firstRow(step.order(c)))
        if (run.guards.isEmpty) assert(its == step.entry(0, step.order.indexOf(step.order(c)), run.window))
        assertHolds(run, a, step, row, c, own, its)
      }
    }
  }

  test("Sweep keeps its entries exact and its invariant") {
    follow(run =>
      new Sweep(run.n, (0 until run.n).toArray, run.window, run.alpha, new Precedence(run.n), evidence = 1)
    ) { (run, a, step) =>
      val j = a.profiledPosition
      for (row <- 0 until math.min(j, run.n) if j < run.n && step.mayMove(j, row)) {
        assert(a.inPlaceEntry(row) == step.entry(row, row, a.stageSize))
        assert(a.challengerEntry(row) == step.entry(row, j, a.stageSize))
        assertHolds(run, a, step, row, j, a.inPlaceEntry(row), a.challengerEntry(row))
      }
    }
  }

  test("LocalSwaps keeps its entries exact and its invariant") {
    follow(run =>
      new LocalSwaps(
        run.n,
        (0 until run.n).toArray,
        run.window,
        run.alpha,
        new Precedence(run.n),
        evidence = 1
      )
    ) { (run, a, step) =>
      for (row <- 0 until run.n - 1 if step.mayMove(row + 1, row)) {
        assert(a.inPlaceEntry(row) == step.entry(row, row, a.known(row)))
        assert(a.neighbourEntry(row) == step.entry(row, row + 1, a.known(row)))
        assertHolds(run, a, step, row, row + 1, a.inPlaceEntry(row), a.neighbourEntry(row))
      }
    }
  }

  test("static keeps its order but for guards, and asks for no profile") {
    follow(run => new StaticOrder(run.n, (0 until run.n).toArray, new Precedence(run.n))) { (run, a, step) =>
      assert(!a.profiles && a.meanNanos(0).isNaN && a.dropRate(0).isNaN)
      if (run.guards.isEmpty) assert(step.order.sameElements(0 until run.n))
    }
  }

  private def sweepOfThree(guards: Precedence) =
    new Sweep(3, Array(0, 1, 2), stage = 2, thrashAvoidance = 1.0, guards, evidence = 2)

  private def profiled(evaluated: BitSet, dropped: BitSet): ProfileTuple = {
    val tuple = new ProfileTuple(3)
    evaluated.foreach(tuple.evaluated.add)
    dropped.foreach(tuple.dropped.add)
    java.util.Arrays.fill(tuple.nanos, 10L)
    tuple
  }

  test("a tuple that was profiled for the stage before says nothing of Sweep's new one") {
    val sweep = sweepOfThree(new Precedence(3))
    // Two tasks profile a tuple each for position 1, and a third reports when the stage has ended.
    for (_ <- 1 to 2) sweep.observe(profiled(evaluated = BitSet(0, 1), dropped = BitSet(0)))
    assert(sweep.profiledPosition == 2 && sweep.stageSize == 0)
    sweep.observe(profiled(evaluated = BitSet(0, 1), dropped = BitSet(0)))
    assert(sweep.stageSize == 0 && sweep.inPlaceEntry(0) == 0)
    sweep.observe(profiled(evaluated = BitSet(0, 2), dropped = BitSet(0, 2)))
    assert(sweep.stageSize == 1 && sweep.inPlaceEntry(0) == 1 && sweep.challengerEntry(0) == 1)
  }

  test("a tuple that a guard of the profiled filter drops belongs to Sweep's stage") {
    val guards = new Precedence(3)
    assert(guards.add(0, 2))
    val sweep = sweepOfThree(guards)
    for (_ <- 1 to 2) sweep.observe(profiled(evaluated = BitSet(0, 1), dropped = BitSet(0)))
    assert(sweep.profiledPosition == 2)
    sweep.observe(profiled(evaluated = BitSet(0), dropped = BitSet(0)))
    assert(sweep.stageSize == 1 && sweep.inPlaceEntry(0) == 1 && sweep.challengerEntry(0) == 0)
  }
}
