package org.streamon.lab.baselines.constraints

import java.util.SplittableRandom
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class UnknownHistogramSpec extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 300)

  test("the histogram's bound is below all values and close to the least") {
    forAll(Gen.choose(0L, 1L << 40)) { seed =>
      val random = new SplittableRandom(seed)
      val histogram = new UnknownHistogram(8)
      val held = scala.collection.mutable.Buffer.empty[Long]
      val far = 1L << random.nextInt(62)
      for (_ <- 0 until 300) {
        if (held.nonEmpty && random.nextInt(5) < 2) histogram.remove(held.remove(random.nextInt(held.size)))
        else {
          val v = random.nextLong(-far, far)
          held += v
          histogram.add(v)
        }
        if (held.isEmpty) assert(histogram.low == Long.MaxValue)
        else {
          assert(histogram.low <= held.min, s"seed $seed")
          // Of 8 ranges over all that there can be each is at most a quarter and some.
          assert(held.min - histogram.low < math.max(far / 2, 1), s"seed $seed")
        }
      }
    }
  }

  test("the histogram of Unknown knows its least value, up to the greatest long") {
    val ends = Gen.oneOf(0L, 1L, -1L, Long.MaxValue, Long.MaxValue - 1, Long.MinValue, 1L << 62)
    forAll(Gen.nonEmptyListOf(Gen.oneOf(ends, Gen.choose(-5000L, 5000L)))) { values =>
      val histogram = new UnknownHistogram(16)
      values.foreach(histogram.add)
      values.indices.foreach { k =>
        assert(histogram.low <= values.drop(k).min)
        histogram.remove(values(k))
      }
      assert(histogram.low == Long.MaxValue)
    }
  }
}
