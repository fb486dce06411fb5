package org.streamon.core.routes

import java.util.SplittableRandom

import org.scalatest.funsuite.AnyFunSuite
import org.streamon.Allocated

class TrainingSampleSpec extends AnyFunSuite {
  private val attributes = Vector(Attribute.number("x"), Attribute.category("c"))

  /** Rows numbered by their x. */
  private def filled(rows: Int, capacity: Int, seed: Long): TrainingSample = {
    val sample = new TrainingSample(attributes, 2, capacity, new SplittableRandom(seed))
    val row = new ProfiledRow(2)
    for (i <- 0 until rows) {
      Row(Seq(i.toDouble, "a"), Set(i % 2)).profile(Seq(10L, 20L), row)
      sample.add(row.values, row.tuple)
    }
    sample
  }

  private def numbers(sample: TrainingSample): Seq[Double] = sample.snapshot.tuples.map(_.number(0)).sorted

  test("keeps all rows until it is full, and then the latest mostly: their mean age is the capacity") {
    assert(numbers(filled(5, 10, 1)) == Seq(0.0, 1.0, 2.0, 3.0, 4.0))
    val kept = numbers(filled(10000, 500, 2))
    assert(kept.size == 500 && filled(10000, 500, 2).size == 500)
    val age = kept.map(10000 - _).sum / kept.size
    assert(math.abs(age - 500) < 100, age)
    assert(kept.count(_ < 10000 - 5 * 500) < 15)
  }

  test("the same rows and random numbers give the same sample") {
    assert(numbers(filled(3000, 100, 7)) == numbers(filled(3000, 100, 7)))
    assert(numbers(filled(3000, 100, 7)) != numbers(filled(3000, 100, 8)))
  }

  test("a copy has the same rows, and keeps them") {
    val sample = filled(150, 100, 1)
    val copy = sample.copy()
    val before = numbers(copy)
    assert(before == numbers(sample))
    val row = new ProfiledRow(2)
    Row(Seq(-1.0, "a"), Set(0)).profile(Seq(10L, 20L), row)
    sample.add(row.values, row.tuple)
    assert(numbers(copy) == before && numbers(sample).head == -1.0)
  }

  test("rows with equal values and drops are one tuple; nulls, NaN and zeros count as they compare") {
    val sample = new TrainingSample(attributes, 2, 100, new SplittableRandom(1))
    val row = new ProfiledRow(2)
    for (x <- Seq[Any](0.0, -0.0, Double.NaN, Double.NaN, null, null); c <- Seq("a", null)) {
      Row(Seq(x, c), Set(1)).profile(Seq(10L, 20L), row)
      sample.add(row.values, row.tuple)
    }
    val set = sample.snapshot
    assert(set.tuples.map(_.density) == Seq.fill(6)(2.0))
    assert(set.tuples.forall(t => t.nanos.toSeq == Seq(20.0, 40.0) && t.evaluated.toSeq == Seq(2.0, 2.0)))
    assert(set.patterns.map(_.toSeq).toSeq == Seq(Seq(1)))
    assert(set.codes(1).toSeq.distinct.sorted == Seq(TrainingSet.Null, 0))
  }

  test("a slot that had a value has none when a null comes") {
    val sample = new TrainingSample(attributes, 2, 1, new SplittableRandom(1))
    val row = new ProfiledRow(2)
    for (values <- Seq[Seq[Any]](Seq(1.0, "a"), Seq(null, null), Seq(2.0, "b"))) {
      Row(values, Set(0)).profile(Seq(10L, 20L), row)
      sample.add(row.values, row.tuple)
      val kept = sample.snapshot.tuples.head
      assert((0 to 1).map(kept.isNull) == values.map(_ == null))
      if (values.head != null) assert(Seq[Any](kept.number(0), kept.category(1)) == values)
    }
  }

  test("a long text is not kept, and a pause counts as 8 times the median") {
    val sample = new TrainingSample(attributes, 2, 100, new SplittableRandom(1))
    val row = new ProfiledRow(2)
    for (i <- 0 until 9) {
      Row(Seq(0.0, "t" * (60 + i)), Set(0)).profile(Seq(if (i == 8) 1L << 40 else 10L, 20L), row)
      sample.add(row.values, row.tuple)
    }
    val set = sample.snapshot
    assert(set.dictionaries(1).map(_.length).max == TrainingSample.LongestCategory)
    assert(set.codes(1).count(_ == TrainingSet.Other) == 1)
    assert(set.meanNanos(0) == (8 * 10.0 + 80) / 9)
  }

  test("to take in a row allocates nothing") {
    val sample = filled(200, 100, 1)
    val row = new ProfiledRow(2)
    val values = new AttributeValues {
      def isNull(attribute: Int): Boolean = false
      def number(attribute: Int): Double = 1.0
      def category(attribute: Int): String = "a"
    }
    Row.profile(Set(1), Seq(10L, 20L), row.tuple)
    def go(times: Int): Unit = for (_ <- 0 until times) sample.add(values, row.tuple)
    go(20000)
    assert(Allocated.by(go(100000)) < 10000)
  }

  test("a set may have values of half a percent of the rows, and no others") {
    val sample = new TrainingSample(attributes, 2, 1000, new SplittableRandom(1))
    val row = new ProfiledRow(2)
    for (i <- 0 until 1000) {
      val category =
        if (i < 20) s"${"abcd".charAt(i / 5)}" else if (i < 400) s"rare $i" else if (i < 404) "e" else "f"
      Row(Seq(i.toDouble, category), Set(0)).profile(Seq(10L, 20L), row)
      sample.add(row.values, row.tuple)
    }
    assert(sample.snapshot.dictionaries(1).toSeq == Seq("a", "b", "c", "d", "f"))
  }
}
