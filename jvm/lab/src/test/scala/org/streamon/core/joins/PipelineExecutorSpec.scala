package org.streamon.core.joins

import org.streamon.lab.baselines.InMemorySynopses
import java.util.SplittableRandom
import java.util.function.LongSupplier
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks
import org.streamon.Allocated
import org.streamon.core.filters.{DropProfiling, FilterSet, OrderingAlgorithm, Precedence, ProfileTuple}
import scala.collection.mutable
import JoinCases._

class PipelineExecutorSpec extends AnyFunSuite with ScalaCheckPropertyChecks {

  /** Moves on with every look-up. */
  private final class Ticks extends LongSupplier {
    var now = 0L
    def getAsLong: Long = now
  }

  private def fixture(graph: JoinGraph, contents: Seq[Row]*): InMemorySynopses = {
    val synopses = new InMemorySynopses(graph)
    for (i <- contents.indices; row <- contents(i)) synopses(i).enter(synopses(i).store(row))
    synopses
  }

  private def executor(order: PipelineOrder, synopses: Synopses, p: Double = 0.0) =
    new PipelineExecutor(order, synopses, new DropProfiling(new SplittableRandom(1), p), () => 0L)

  private def order(graph: JoinGraph, input: Int, pipeline: Int*): PipelineOrder =
    new PipelineOrders(graph, "static", Map(input -> pipeline.toArray))(input)

  private def results(executor: PipelineExecutor, synopses: InMemorySynopses, row: Row): Int = {
    val slot = synopses(executor.order.filters.input).store(row)
    executor.arrive(slot.toLong)
    Iterator.continually(executor.next()).takeWhile(identity).size
  }

  private def keys(values: Int*): Seq[Row] = values.map(Vector(_))

  test("one key class: a look-up in each window until one has no match, and none for output generation") {
    val graph = new JoinGraph(4, oneKey(4))
    val synopses = fixture(graph, Nil, keys(1, 1, 2), keys(1, 1, 1, 3), keys(1, 2))
    val e = executor(order(graph, 0, 2, 1, 3), synopses)
    assert(results(e, synopses, Vector(1)) == 2 * 3 * 1)
    assert(e.probes.toSeq == Seq(0, 1, 1, 1) && e.drops.toSeq == Seq(0, 0, 0, 0))
    assert(results(e, synopses, Vector(3)) == 0)
    assert(e.probes.toSeq == Seq(0, 2, 2, 1) && e.drops.toSeq == Seq(0, 1, 0, 0))
    assert(results(e, synopses, Vector(2)) == 0)
    assert(e.probes.toSeq == Seq(0, 2, 3, 1) && e.drops.toSeq == Seq(0, 1, 1, 0))
    assert(!e.next() && e.profiled == 0)
  }

  test("a look-up is done once for each row that supplies its key, however many windows stand in between") {
    // 0 - 1 - 2, and 0 - 3: window 2 is looked up for each match in 1, not for each in 1 and 3.
    val graph = new JoinGraph(4, Seq(Equality(0, 0, 1, 0), Equality(1, 1, 2, 0), Equality(0, 1, 3, 0)))
    val synopses =
      fixture(graph, Nil, Seq(Vector(1, 5), Vector(1, 6), Vector(1, 7)), keys(6, 7, 7), keys(9, 9, 9, 9))
    val e = executor(order(graph, 0, 1, 3, 2), synopses)
    assert(results(e, synopses, Vector(1, 9)) == (1 + 2) * 4)
    // Which of window 1's rows come first is its own affair: newest first here, so 7 is the witness at once.
    assert(e.probes.toSeq == Seq(0, 1, 1 + 3, 1))
  }

  test("output generation begins where probing found the first match further on") {
    val graph = new JoinGraph(3, Seq(Equality(0, 0, 1, 0), Equality(1, 1, 2, 0)))
    // Newest first: 8, 7 and 6 have no match in window 2.
    val synopses = fixture(graph, Nil, (5 to 8).map(b => Vector(1, b)), keys(5, 5))
    val e = executor(order(graph, 0, 1, 2), synopses)
    assert(results(e, synopses, Vector(1)) == 2)
    assert(e.probes.toSeq == Seq(0, 1, 4 + 1))
  }

  test("a combination that fails is not tried again with other rows of windows that had no part in it") {
    // 0 - 1 - 2 - 3, from 1: what window 3 has depends on window 2 alone.
    val graph = new JoinGraph(4, Seq(Equality(0, 0, 1, 0), Equality(1, 1, 2, 0), Equality(2, 1, 3, 0)))
    val synopses =
      fixture(graph, keys(Seq.fill(100)(1): _*), Nil, (1 to 20).map(c => Vector(5, c)), keys(77))
    val arrival = new PartialMatch(1, 4, new Array[Long](4))
    arrival.begin(synopses(1).store(Vector(1, 5)).toLong)
    val loop = new NestedLoop(Pipeline.of(graph, 1, Array(0, 2, 3), synopses), arrival, synopses)
    assert(!loop.first())
    assert(arrival.counts.toSeq == Seq(1, 0, 1, 20))
  }

  test("a filter whose path is part of one that passed is not probed again, except to time it") {
    val graph = new JoinGraph(3, Seq(Equality(0, 0, 1, 0), Equality(1, 1, 2, 0)))
    val synopses = fixture(graph, Nil, Seq(Vector(1, 5)), keys(5))
    def probesOf(p: Double) = {
      val later = new PipelineOrder(new LogicalFilters(graph, 0), new Recorder(Array(1, 0)))
      val e = executor(later, synopses, p)
      assert(results(e, synopses, Vector(1)) == 1)
      e.probes.toSeq
    }
    assert(probesOf(0.0) == Seq(0, 1, 2))
    assert(probesOf(1.0) == Seq(0, 2, 2))
  }

  /** Keeps its order, and every profile tuple with all its bits. */
  private final class Recorder(order: Array[Int])
      extends OrderingAlgorithm(order.length, order, new Precedence(order.length)) {
    val dropped: mutable.Buffer[Long] = mutable.Buffer.empty
    val nanos: mutable.Buffer[Seq[Long]] = mutable.Buffer.empty
    def name: String = "recorder"
    def nextPosition(dropPosition: Int, after: Int, dropped: FilterSet): Int = after + 1
    def offer(tuple: ProfileTuple): Unit = {
      assert(tuple.evaluated.members == order.indices)
      dropped += Bits.of(tuple.dropped.members)
      nanos += tuple.nanos.toSeq
    }
    def reoptimize(): Boolean = false
    protected def repaired(): Unit = ()
    def meanNanos(q: Int): Double = Double.NaN
    def dropRate(q: Int): Double = Double.NaN
  }

  test("profile tuples: one bit for each logical filter, of the join along its path alone") {
    forAll(casesOf(3, 5)) { join =>
      val graph = join.graph
      val synopses = new InMemorySynopses(graph, join.predicates)
      val windows = Array.tabulate(join.n)(i =>
        join.elements.collect { case Element(`i`, row, true) if graph.accepts(i, row) => row }
      )
      for (i <- windows.indices; row <- windows(i)) synopses(i).enter(synopses(i).store(row))
      for (i <- windows.indices) {
        val filters = new LogicalFilters(graph, i)
        val recorder = new Recorder(Array.range(0, filters.size).reverse)
        val e = executor(new PipelineOrder(filters, recorder), synopses, p = 1.0)
        val expected = windows(i).map { row =>
          Bits.where(filters.size)(q =>
            !exists(join, filters.path(q).toSet + i, windows.updated(i, Seq(row)))
          )
        }
        windows(i).foreach(results(e, synopses, _))
        assert(recorder.dropped.toSeq == expected.filter(_ != 0L), s"input $i")
        assert(e.profiled == recorder.dropped.size)
        assert(e.drops.sum == e.profiled)
      }
    }
  }

  /** Whether some inputs' windows join, by key classes and by residuals over no others. */
  private def exists(join: JoinCase, inputs: Set[Int], windows: Array[Seq[Row]]): Boolean = {
    val some = inputs.toVector.sorted
    val equalities = for {
      keyClass <- join.graph.classes
      holders = some.filter(i => Bits.contains(keyClass.holders, i))
      (a, b) <- holders.zip(holders.drop(1))
    } yield Equality(
      some.indexOf(a),
      keyClass.column(a),
      some.indexOf(b),
      keyClass.column(b),
      keyClass.nullSafe
    )
    val residuals = join.residuals.filter(_.subsetOf(inputs)).map(_.map(some.indexOf))
    nestedLoop(JoinCase(some.size, equalities, residuals, Nil), some.map(windows)).nonEmpty
  }

  test("times are of the filter's own work, and artificial look-ups are counted apart") {
    val graph = new JoinGraph(3, Seq(Equality(0, 0, 1, 0), Equality(1, 1, 2, 0)))
    val ticks = new Ticks
    val inner = fixture(graph, Nil, Seq(Vector(1, 5), Vector(1, 6)), keys(7))
    val ticking = new Synopses {
      def satisfies(residual: Int, joined: Array[Long]): Boolean = inner.satisfies(residual, joined)
      def probe(window: Int, classes: Long, from: Array[Int]): Probe = new Probe {
        private val probe = inner.probe(window, classes, from)
        def first(joined: Array[Long]): Long = {
          ticks.now += 10
          probe.first(joined)
        }
        def next(row: Long, joined: Array[Long]): Long = {
          ticks.now += 1
          probe.next(row, joined)
        }
      }
    }
    val recorder = new Recorder(Array(1, 0))
    val e = new PipelineExecutor(
      new PipelineOrder(new LogicalFilters(graph, 0), recorder),
      ticking,
      new DropProfiling(new SplittableRandom(1), 1.0),
      ticks
    )
    assert(results(e, inner, Vector(1)) == 0)
    assert(recorder.nanos.toSeq == Seq(Seq(10L, 10 + 10 + 1 + 10 + 1L)) && recorder.dropped.toSeq == Seq(2L))
    assert(e.probes.toSeq == Seq(0, 1, 2) && e.artificial.toSeq == Seq(0, 1, 0))
  }

  test("rows of several kinds follow an order each, with the same results") {
    val graph = new JoinGraph(3, oneKey(3))
    val synopses = fixture(graph, Nil, keys(1, 1, 2), keys(1, 3))
    val (ahead, behind) = (order(graph, 0, 1, 2), order(graph, 0, 2, 1))
    var opened = 0
    // What was opened before the latest `reopen` must not be used.
    val reopening = new Synopses {
      def satisfies(residual: Int, joined: Array[Long]): Boolean = synopses.satisfies(residual, joined)
      def probe(window: Int, classes: Long, from: Array[Int]): Probe = new Probe {
        private val of = opened
        private val probe = synopses.probe(window, classes, from)
        def first(joined: Array[Long]): Long = { assert(of == opened); probe.first(joined) }
        def next(row: Long, joined: Array[Long]): Long = { assert(of == opened); probe.next(row, joined) }
      }
    }
    val e = executor(ahead, reopening)
    def take(next: PipelineOrder, key: Int): (Int, Seq[Long]) = {
      e.follow(next)
      val before = e.probes.toSeq
      (results(e, synopses, Vector(key)), e.probes.toSeq.lazyZip(before).map(_ - _))
    }
    for (_ <- 1 to 2) {
      assert(take(ahead, 3) == (0, Seq(0, 1, 0)) && take(behind, 3) == (0, Seq(0, 1, 1)))
      assert(take(ahead, 1) == (2, Seq(0, 1, 1)) && take(behind, 1) == (2, Seq(0, 1, 1)))
      opened += 1
      e.reopen()
    }
    assert(e.order eq behind)
  }

  test("every sampled row is told, and a change of order with the order that has changed") {
    val graph = new JoinGraph(3, oneKey(3))
    val synopses = fixture(graph, Nil, keys(1, 1, 2), keys(1, 3))
    def learning = new PipelineOrders(graph, window = 50)(0)
    val (one, other) = (learning, learning)
    val told = mutable.Buffer.empty[Seq[Int]]
    val e = new PipelineExecutor(
      one,
      synopses,
      new DropProfiling(new SplittableRandom(1), 1.0),
      () => 0L,
      listener = tuple => {
        assert(tuple.evaluated.members == Seq(0, 1))
        told += tuple.dropped.members
      }
    )
    assert(results(e, synopses, Vector(1)) == 2 && results(e, synopses, Vector(3)) == 0)
    assert(told == Seq(Nil, Seq(0)))
    e.follow(other)
    for (_ <- 1 to 100) results(e, synopses, Vector(2))
    val changes = e.decisions.take()
    assert(changes.map(_.order) == Seq(other) && changes.head.change.newPlan == Seq(1, 0))
    assert(one.current.plan.toSeq == Seq(0, 1) && told.size == 102)
  }

  test("no row allocates, dropped, sampled or joined, whichever order it follows") {
    // Rows are their own keys; window j holds key k when j divides it, k / j times.
    val synopses = new Synopses {
      def satisfies(residual: Int, joined: Array[Long]): Boolean = true
      def probe(window: Int, classes: Long, from: Array[Int]): Probe = new Probe {
        def first(joined: Array[Long]): Long =
          if (joined(0) % window == 0) joined(0) / window else Probe.NoRow
        def next(row: Long, joined: Array[Long]): Long = if (row > 1) row - 1 else Probe.NoRow
      }
    }
    val orders = Array.fill(2)(new PipelineOrders(new JoinGraph(4, oneKey(4)))(0))
    val e = executor(orders(0), synopses, p = 0.2)
    def run(rows: Int): Long = Allocated.by {
      var k = 1
      while (k <= rows) {
        e.follow(orders(k % 2))
        if (e.arrive(1L + k % 12)) while (e.next()) {}
        k += 1
      }
    }
    run(2000)
    val (reorders, profiled, drops) = (e.reorders, e.profiled, e.drops.sum)
    val bytes = run(100000)
    assert(e.reorders == reorders && e.profiled - profiled > 10000 && e.drops.sum - drops > 50000)
    assert(bytes < 10000, s"$bytes bytes for 100,000 rows")
  }
}
