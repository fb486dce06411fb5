package org.streamon.core.routes

import java.util.SplittableRandom

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class KPrototypesSpec extends AnyFunSuite with ScalaCheckPropertyChecks {
  private val attributes = Vector(Attribute.number("x"), Attribute.category("c"), Attribute.number("noise"))

  private def set(values: Seq[Seq[Any]], drops: Seq[Any] => Set[Int] = _ => Set(0)): TrainingSet =
    RouteCases.training(attributes, values.map(v => Row(v, drops(v))), Seq(10L, 10L))

  private def clusters(set: TrainingSet, count: Int, seed: Long): IndexedSeq[IndexedSeq[Int]] =
    new KPrototypes(set, DropRelevance(set, 0.02)).cluster(count, new SplittableRandom(seed))

  test("clusters part the tuples, are not empty, and are at most as many as asked for") {
    val values = Gen.listOf(
      Gen.zip(Gen.oneOf[Any](1.0, 2.0, Double.NaN, null), Gen.oneOf("a", "b", null), Gen.choose(0.0, 1.0))
    )
    forAll(values, Gen.choose(1, 8), Gen.long) { (rows, count, seed) =>
      val sample = set(rows.map(_.productIterator.toSeq))
      val found = clusters(sample, count, seed)
      assert(found.flatten.sorted == sample.tuples.indices && found.forall(_.nonEmpty))
      assert(found.size <= count && found.nonEmpty == rows.nonEmpty)
      assert(clusters(sample, count, seed) == found)
    }
  }

  test("kinds that are far apart are clusters of their own") {
    val random = new SplittableRandom(5)
    val rows = Seq.fill(300) {
      val kind = random.nextInt(3)
      Seq[Any](
        if (kind == 2) null else kind * 1e9 + random.nextInt(9),
        if (kind == 1) "a" else "b",
        0.0
      )
    }
    val sample = set(rows, v => if (v.head == null) Set(0) else if (v(1) == "a") Set(1) else Set(0, 1))
    var whole = 0
    for (seed <- 1 to 20) {
      val found = clusters(sample, 3, seed.toLong)
      if (
        found.size == 3 && found.forall(
          _.map(i => (sample.tuples(i).isNull(0), sample.codes(1)(i))).distinct.size == 1
        )
      )
        whole += 1
    }
    assert(whole >= 18, whole)
  }

  test("a column that tells nothing of the drops makes no clusters") {
    val random = new SplittableRandom(6)
    val rows = Seq.fill(1000)(Seq[Any](0.0, if (random.nextBoolean()) "a" else "b", random.nextDouble()))
    val sample = set(rows, v => Set(if (v(1) == "a") 0 else 1))
    val weights = DropRelevance(sample, 0.02)
    assert(math.abs(weights.sum - 1.0) < 1e-9 && weights(1) > 0.95 && weights(0) == 0.0, weights)
    val pure = clusters(sample, 4, 1).forall(_.map(sample.codes(1)(_)).distinct.size == 1)
    assert(pure)
    assert(DropRelevance(set(rows.take(1)), 0.02) == Seq.fill(3)(1.0 / 3))
  }

  test("numbers that tell nothing of the drops make no clusters either") {
    val random = new SplittableRandom(7)
    val rows = Seq.fill(1000)(Seq[Any](if (random.nextInt(100) < 85) 1.0 else 2.0, "a", random.nextDouble()))
    val sample = set(rows, v => Set(if (v.head == 1.0) 0 else 1))
    val found = clusters(sample, 2, 1)
    assert(found.size == 2 && found.forall(_.map(sample.tuples(_).number(0)).distinct.size == 1))
  }

  test("a prototype is the mean rank, and the value of most rows") {
    val rows = Seq("a" -> 3.0, "b" -> 1.0, "c" -> 1.0).zipWithIndex.map { case ((c, density), i) =>
      RouteCases.tuple(
        attributes,
        Row(Seq(if (c == "c") null else i * 100.0, c, 0.0), Set(0)),
        Seq(10L),
        density
      )
    }
    val sample = TrainingSet(attributes, 1, rows)
    val middle = new KPrototypes(sample, Vector(1.0, 0, 0)).prototype(Vector(0, 1, 2))
    // Three of four numbers have the rank 3/8, one has 7/8, and the null stands at -1/2.
    assert(math.abs(middle(0) - (3 * 0.375 + 0.875 - 0.5) / 5) < 1e-9)
    assert(sample.dictionaries(1)(middle(1).toInt) == "a")
    assert(middle(2) == 0.5)
  }
}
