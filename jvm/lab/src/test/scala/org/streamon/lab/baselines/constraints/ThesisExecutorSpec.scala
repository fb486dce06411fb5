package org.streamon.lab.baselines.constraints

import org.streamon.core.constraints.{ConstraintKind, MonitorSettings}
import java.util.SplittableRandom
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

/** k-Mon on generated oriented trees against the nested loop, arrival by arrival. A failure names its seed.
  */
class ThesisExecutorSpec extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 200)

  private val seeds = Gen.choose(0L, 1L << 40)

  private def generated(seed: Long): (ManyOneCase, SplittableRandom) = {
    val random = new SplittableRandom(seed)
    (ManyOneCase.of(2 + random.nextInt(5), 120, random), random)
  }

  private val eager = ExecutorSettings()

  private def subset(all: Vector[KConstraint], random: SplittableRandom): Vector[KConstraint] =
    all.filter(_ => random.nextBoolean())

  private def same(
      join: ManyOneCase,
      constraints: Seq[KConstraint],
      settings: ExecutorSettings,
      seed: Long,
      after: ThesisExecutor => Unit = _ => ()
  ): Int = {
    val (expected, found) = (join.naive, join.run(constraints, settings, after))
    for (at <- expected.indices) {
      val where = s"seed $seed, ${join.graph.edges}, $constraints, windows ${join.windows}, arrival $at"
      assert(found(at).sorted == expected(at).toVector.sorted, where)
    }
    expected.map(_.size).sum
  }

  implicit private val ids: Ordering[Vector[Long]] = Ordering.Implicits.seqOrdering[Vector, Long]

  test("without constraints it finds what the nested loop finds, each result once, under windows too") {
    var results = 0
    forAll(seeds) { seed =>
      results += same(generated(seed)._1, Nil, eager, seed)
    }
    assert(results > 1000)
  }

  /** Decides every few arrivals what a sample of half tells. */
  private def saving(random: SplittableRandom) = ExecutorSettings(
    collectEvery = random.nextInt(4),
    noComponents = NoComponentPolicy.BySavings(0.5, period = 1 + random.nextInt(20))
  )

  test("data that keep their constraints lose nothing, in any combination") {
    var decided = Set.empty[Boolean]
    forAll(seeds) { seed =>
      val (join, random) = generated(seed)
      val sets = join.kept +: Vector.fill(3)(subset(join.kept, random))
      val lazily = ExecutorSettings(collectEvery = random.nextInt(20))
      for (constraints <- sets; settings <- Seq(eager, lazily))
        same(join, constraints, settings, seed)
      for (constraints <- sets) {
        val children = join.graph.edges.map(_.child)
        def see(e: ThesisExecutor): Unit = decided ++= children.map(e.keepsNo)
        same(join, constraints, saving(random), seed, see)
      }
    }
    assert(decided == Set(true, false))
  }

  test("with a k that is too small results may be missing, and none is wrong or found twice") {
    var missing = 0
    forAll(seeds) { seed =>
      val (join, random) = generated(seed)
      val tight =
        subset(join.kept, random).map(c => c.copy(k = c.k.map(k => (k * random.nextDouble()).toLong)))
      val expected = join.naive.flatten.toSet
      val found = join.run(tight).flatten
      assert(found.distinct.size == found.size && found.forall(expected), s"seed $seed, $tight")
      missing += expected.size - found.size
    }
    assert(missing > 100, "so the k were too small")
  }

  test("k learned as it goes loses at most where it was exceeded") {
    val monitor = MonitorSettings(window = 20, retention = 1.0)
    var usable = 0
    forAll(seeds) { seed =>
      val (join, random) = generated(seed)
      val learned = Vector(join.kept(random.nextInt(join.kept.size)).copy(k = None))
      val expected = join.naive.flatten.toSet
      var violations = 0L
      val settings =
        (if (random.nextBoolean()) saving(random) else ExecutorSettings()).copy(monitor = monitor)
      val found = join.run(learned, settings, e => violations = e.violations).flatten
      assert(found.distinct.size == found.size && found.forall(expected), s"seed $seed")
      if (violations == 0) {
        usable += 1
        assert(found.toSet == expected, s"seed $seed")
      }
    }
    assert(usable > 20)
  }

  test("constraints that the data keep never leave more tuples than there are without") {
    var (with_, without) = (0L, 0L)
    forAll(seeds) { seed =>
      val (join, random) = generated(seed)
      // What may add tuples is leaving No out; CA and OAP do not.
      val constraints =
        subset(join.kept, random).filter(c => c.kind == ConstraintKind.CA || c.kind == ConstraintKind.OAP)
      def sizes(used: Seq[KConstraint]) = {
        val all = Vector.newBuilder[Int]
        join.run(used, eager, e => all += e.tuples)
        all.result()
      }
      val (a, b) = (sizes(constraints), sizes(Nil))
      a.zip(b).zipWithIndex.foreach { case ((x, y), at) => assert(x <= y, s"seed $seed, arrival $at") }
      with_ += a.sum
      without += b.sum
    }
    assert(with_ < without)
  }

  test("the join without constraints finds the same, and tuples not dead are never more than it keeps") {
    forAll(seeds) { seed =>
      val (join, random) = generated(seed)
      val found = scala.collection.mutable.Buffer.empty[Vector[Long]]
      val plain = new SlidingWindowJoin(
        join.graph,
        join.projected,
        r => found += Vector.tabulate(join.graph.n)(r.value(_, 0))
      )
      val counts = new Array[Long](join.graph.n)
      val arrivals = join.arrivals.iterator
      val expected = join.naive.iterator
      join.run(
        subset(join.kept, random),
        eager,
        kMon => {
          val a = arrivals.next()
          counts(a.input) += 1
          plain.arrive(a.input, a.row.toArray, a.passes, counts(a.input))
          join.windows(a.input).foreach(w => plain.expire(a.input, counts(a.input) - w))
          assert(found.sorted == expected.next().toVector.sorted, s"seed $seed")
          found.clear()
          val kept =
            (0 until join.graph.n).map(i => (i, kMon.size(i, Part.Yes) + kMon.size(i, Part.Unknown)))
          assert(kept.map(_._2).sum <= plain.tuples, s"seed $seed")
          kMon.collect()
          // The overhead: No tuples, at most one for each that is in a window of a child.
          kept.foreach { case (i, live) =>
            val inWindow = join.windows(i).fold(counts(i))(w => math.min(w.toLong, counts(i)))
            assert(live + kMon.size(i, Part.No) <= inWindow, s"seed $seed, input $i")
            if (join.graph.isRoot(i)) assert(kMon.size(i, Part.No) == 0)
          }
          assert(kMon.bytes >= kMon.tuples * 17L && kMon.monitorBytes <= kMon.bytes)
        }
      )
    }
  }

  test("a chain of 64 inputs and a fan of 100,000 tuples are worked off without a deep stack") {
    val chain = new DirectedJoinGraph(64, (0 until 63).map(i => ManyOne(i, 1, i + 1, 0)))
    var found = 0
    val sink: ResultSink = _ => found += 1
    val join = new ThesisExecutor(chain, Vector.fill(64)(Nil), Nil, sink)
    for (_ <- 0 until 100000) join.arrive(0, Array(0L, 1L), passes = true, 1L)
    for (i <- 1 until 64) join.arrive(i, Array(1L, 1L), passes = true, 1L)
    assert(found == 100000 && join.size(0, Part.Unknown) == 0)
    val dead = new ThesisExecutor(chain, Vector.fill(64)(Nil), Nil, sink)
    for (i <- 0 until 63) dead.arrive(i, Array(1L, 1L), passes = true, 1L)
    dead.arrive(63, Array(1L), passes = false, 1L)
    assert((0 until 64).map(dead.size(_, Part.No)).sum == 63 && dead.tuples == 63)
  }

  test("where a child's key comes again, tuples above stay with it, and later ones find it") {
    val graph = new DirectedJoinGraph(3, Vector(ManyOne(0, 0, 1, 0), ManyOne(1, 1, 2, 0)))
    val found = scala.collection.mutable.Buffer.empty[Long]
    val sink: ResultSink = r => found += r.value(2, 1)
    val join = new ThesisExecutor(graph, Vector(Nil, Nil, Seq(1)), Nil, sink)
    join.arrive(2, Array(7L, 1L), passes = true, 1L)
    join.arrive(1, Array(5L, 7L), passes = true, 1L)
    join.arrive(2, Array(7L, 2L), passes = true, 2L)
    join.expire(2, 1L)
    assert(join.size(1, Part.Yes) == 1)
    join.arrive(0, Array(5L), passes = true, 1L)
    assert(found.toSeq == Seq(2L))
    join.expire(2, 2L)
    assert(join.size(1, Part.Yes) == 0)
    join.arrive(2, Array(7L, 3L), passes = true, 3L)
    join.arrive(1, Array(6L, 7L), passes = true, 2L)
    join.arrive(0, Array(6L), passes = true, 2L)
    assert(found.toSeq == Seq(2L, 3L))
  }

  test("tuples leave a window that is partitioned by key, in all parts and with those above") {
    val graph = new DirectedJoinGraph(3, Vector(ManyOne(0, 0, 1, 0), ManyOne(1, 1, 2, 0)))
    var found = 0
    val sink: ResultSink = _ => found += 1
    val join = new ThesisExecutor(graph, Vector.fill(3)(Nil), Nil, sink)
    val plain = new SlidingWindowJoin(graph, Vector.fill(3)(Nil), sink)
    join.arrive(1, Array(5L, 7L), passes = true, 1L)
    join.arrive(1, Array(6L, 8L), passes = false, 2L)
    join.arrive(0, Array(5L), passes = true, 1L)
    join.expireKey(1, 0, 5L)
    join.expireKey(1, 1, 8L)
    assert(join.tuples == 1, "No keeps the columns that join with parents only")
    join.expireKey(1, 0, 6L)
    assert(join.tuples == 0)
    join.arrive(2, Array(7L), passes = true, 1L)
    assert(found == 0)
    plain.arrive(1, Array(5L, 7L), passes = true, 1L)
    plain.expireKey(1, 1, 7L)
    assert(plain.tuples == 0)
    val refused = intercept[IllegalArgumentException](join.expireKey(0, 1, 5L))
    assert(refused.getMessage.contains("column 1 of input 0: expected one that is joined"))
  }
}
