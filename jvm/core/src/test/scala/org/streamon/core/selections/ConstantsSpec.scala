package org.streamon.core.selections

import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks
import org.streamon.core.selections.Comparison._
import org.streamon.core.selections.Selection._
import org.streamon.core.selections.SelectionCases._

class ConstantsSpec extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 100)

  test("m constants make 2m + 1 regions, and one for nulls") {
    val constants = Constants.of(Seq(Compare(Less, 20), OneOf(Seq(10, 20, 30)), IsNull))
    assert(constants.regions == 8 && constants.ofNull == 7)
    assert(Seq(5, 10, 15, 20, 25, 30, 35).map(constants.region) == (0 to 6))
    assert(Constants.of(Seq[Selection[Int]](IsNotNull)).regions == 2)
  }

  test("constants that the ordering finds equal are one") {
    val ignoring = Ordering.by[String, String](_.toLowerCase)
    val constants = Constants.of(Seq(OneOf(Seq("b", "B", "a"))))(ignoring)
    assert(constants.regions == 6 && constants.region("A") == 1 && constants.region("B") == 3)
  }

  test("each whole number among close constants is a region") {
    def of(constants: Long*) = Constants.of(Seq(OneOf(constants)), Some((n: Long) => n))
    val close = of(10, 11, 17)
    assert(close.regions == 11 && (8L to 19L).map(close.region) == Seq(0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9))
    assert(of(10, 11, 22).regions == 8)
    assert(of(Long.MinValue, Long.MaxValue).regions == 6 && of(Long.MaxValue).region(Long.MinValue) == 0)
    assert(of().regions == 2 && of().region(1) == 0)
  }

  test("a selection holds in a region for all of its values or for none") {
    forAll(selections(), selections()) { (selection, another) =>
      for {
        number <- numbers
        constants = Constants.of(Seq(selection, another), number)
        ranges = constants.ranges(selection)
        value <- None +: (-1 to 41).map(Option(_))
      }
        assert(
          ranges.contains(value.fold(constants.ofNull)(constants.region)) == holds(selection, value),
          s"$selection of $value"
        )
    }
  }

  test("ranges neither overlap nor touch") {
    forAll(selections(3)) { selection =>
      val ranges = Constants.of(Seq(selection)).ranges(selection).of
      for ((from, to) <- ranges) assert(from <= to)
      for (((_, end), (from, _)) <- ranges.zip(ranges.drop(1))) assert(end + 1 < from)
    }
  }
}
