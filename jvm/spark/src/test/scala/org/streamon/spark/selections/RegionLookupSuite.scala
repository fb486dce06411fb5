package org.streamon.spark.selections

import org.apache.spark.sql.types.LongType
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks
import org.streamon.core.selections.{Constants, Selection}

class RegionLookupSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  private val key = RegionKey.of(LongType).get

  private val extremes = Seq(Long.MinValue, Long.MinValue + 1, -1L, 0L, 1L, Long.MaxValue - 1, Long.MaxValue)

  private val constants: Gen[Seq[Long]] = for {
    base <- Gen.frequency(1 -> Gen.oneOf(extremes), 2 -> Gen.long)
    width <- Gen.oneOf(1L, 10L, 100L, 1L << 20, 1L << 62)
    close <- Gen.choose(0, 40).flatMap(Gen.listOfN(_, Gen.choose(0L, width).map(base + _)))
    far <- Gen.frequency(3 -> Gen.const(Nil), 1 -> Gen.listOf(Gen.oneOf(extremes)))
  } yield close ++ far

  test("a number is found in the region that the constants give it, whether they are close or not") {
    var dense = 0
    forAll(constants, Gen.listOfN(20, Gen.long), minSuccessful(500)) { (of, others) =>
      val found = Constants.of[Any](Seq(Selection.OneOf(of)), key.wholeNumber)(key.ordering)
      val lookup = RegionLookup(key, found, isPointwise = false)
      if (lookup.isInstanceOf[DenseLookup]) dense += 1
      for (number <- extremes ++ others ++ of.flatMap(c => Seq(c - 1, c, c + 1)))
        assert(lookup.of(number) == found.region(number), s"$number among $of")
      assert(lookup.of(null) == found.ofNull)
    }
    info(s"$dense of 500 dense")
    assert(50 < dense && dense < 450)
  }

  test("the same among many constants, spread or close to each other, up to the extremes") {
    for (count <- Seq(100, 200, 1500, 3000); step <- Seq(5L, 1L << 20, Long.MaxValue / 4000)) {
      val of = (0 until count).map(k => k * step - k % 3) ++ extremes
      val found = Constants.of[Any](Seq(Selection.OneOf(of)), key.wholeNumber)(key.ordering)
      val lookup = RegionLookup(key, found, isPointwise = false)
      assert(lookup.isInstanceOf[BucketLookup])
      for (c <- of; number <- Seq(c - 1, c, c + 1))
        assert(lookup.of(number) == found.region(number), s"$number among $count by $step")
    }
  }
}
