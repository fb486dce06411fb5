package org.streamon.lab

import java.util.SplittableRandom
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks
import org.streamon.core.constraints.{ConstraintKind, MonitorSettings}
import org.streamon.lab.baselines.constraints._
import scala.collection.mutable

/** k-Mon as it runs in Spark, on generated oriented trees, against the nested loop. A failure names its seed.
  */
class KMonJoinSpec extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 200)

  implicit private val ids: Ordering[Vector[Long]] = Ordering.Implicits.seqOrdering[Vector, Long]
  private val seeds = Gen.choose(0L, 1L << 40)

  private def generated(seed: Long): (ManyOneCase, SplittableRandom) = {
    val random = new SplittableRandom(seed)
    (ManyOneCase.of(2 + random.nextInt(5), 120, random), random)
  }

  private def subset(all: Vector[KConstraint], random: SplittableRandom): Vector[KConstraint] =
    all.filter(_ => random.nextBoolean())

  /** Results by arrival, and rows held after each. */
  private def run(
      join: ManyOneCase,
      constraints: Option[Seq[KConstraint]],
      batch: Int,
      monitor: MonitorSettings = MonitorSettings()
  ): Vector[(Vector[Vector[Long]], Int)] = {
    val found = mutable.Buffer.empty[Vector[Long]]
    val sink: ResultSink = r => found += Vector.tabulate(join.graph.n)(r.value(_, 0))
    val kMon = new KMonJoin(join.graph, join.projected, constraints, sink, monitor, batch)
    val counts = new Array[Long](join.graph.n)
    join.arrivals.map { a =>
      counts(a.input) += 1
      kMon.arrive(a.input, a.row.toArray, a.passes, counts(a.input))
      join.windows(a.input).foreach(w => if (counts(a.input) > w) kMon.expire(a.input, counts(a.input) - w))
      val own = found.toVector
      found.clear()
      (own, kMon.tuples)
    }
  }

  test("data that keep their constraints lose nothing, in any combination and in micro-batches of any size") {
    var results = 0
    forAll(seeds) { seed =>
      val (join, random) = generated(seed)
      val expected = join.naive.map(_.toVector.sorted)
      val sets = Seq(None, Some(join.kept)) ++ Seq.fill(4)(Some(subset(join.kept, random)))
      for (constraints <- sets; batch <- Seq(1, 2 + random.nextInt(20)))
        assert(
          run(join, constraints, batch).map(_._1.sorted) == expected,
          s"seed $seed, ${join.graph.edges}, $constraints, windows ${join.windows}, batch $batch"
        )
      results += expected.map(_.size).sum
    }
    assert(results > 1000)
  }

  test("with a k that is too small results may be missing, and none is wrong or found twice") {
    var missing = 0
    forAll(seeds) { seed =>
      val (join, random) = generated(seed)
      val tight =
        subset(join.kept, random).map(c => c.copy(k = c.k.map(k => (k * random.nextDouble()).toLong)))
      val expected = join.naive.flatten.toSet
      val found = run(join, Some(tight), 1).flatMap(_._1)
      assert(found.distinct.size == found.size && found.forall(expected), s"seed $seed, $tight")
      missing += expected.size - found.size
    }
    assert(missing > 100, "so the k were too small")
  }

  test("constraints never leave more rows than there are without, and each kind lets some go") {
    val saved = mutable.Map.empty[ConstraintKind, Long].withDefaultValue(0L)
    forAll(seeds) { seed =>
      val (join, _) = generated(seed)
      def rows(used: Option[Seq[KConstraint]]) = run(join, used, 1).map(_._2)
      val (plain, unique) = (rows(None), rows(Some(Nil)))
      for (kind <- ConstraintKind.all) {
        val constrained = rows(Some(join.kept.filter(_.kind == kind)))
        assert(constrained.zip(unique).forall { case (a, b) => a <= b }, s"seed $seed, $kind")
        saved(kind) += unique.sum - constrained.sum
      }
      assert(unique.zip(plain).forall { case (a, b) => a <= b }, s"seed $seed")
    }
    assert(ConstraintKind.all.forall(saved(_) > 1000), saved)
  }

  test("a k is learned from what has arrived, and rows go by it") {
    val monitor = MonitorSettings(window = 20, retention = 1.0)
    var fewer = 0
    forAll(seeds) { seed =>
      val (join, random) = generated(seed)
      val learned = join.kept(random.nextInt(join.kept.size)).copy(k = None)
      val found = run(join, Some(Seq(learned)), 1, monitor)
      val all = found.flatMap(_._1)
      assert(all.distinct.size == all.size && all.forall(join.naive.flatten.toSet), s"seed $seed")
      if (found.map(_._2).sum < run(join, Some(Nil), 1).map(_._2).sum) fewer += 1
    }
    assert(fewer > 20, fewer)
  }
}
