package org.streamon.lab.baselines.selections

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks
import org.streamon.core.selections.Comparison._
import org.streamon.core.selections.Selection._
import org.streamon.core.selections.SelectionCases.holds
import org.streamon.core.selections.{Construct, Selection}

class GroupedFilterSpec extends AnyFunSuite with ScalaCheckPropertyChecks {
  private val comparison: Gen[Selection[Int]] = Gen
    .zip(Gen.oneOf(Equal, NotEqual, Less, AtMost, Greater, AtLeast), Gen.choose(0, 10).map(2 * _))
    .map { case (how, constant) => Compare(how, constant) }

  private val selections: Gen[Selection[Int]] =
    Gen.frequency(3 -> comparison, 1 -> Gen.choose(0, 3).flatMap(Gen.listOfN(_, comparison)).map(AllOf(_)))

  private val filters: Gen[(Int, Map[Int, Selection[Int]])] = for {
    size <- Gen.choose(1, 70)
    asked <- Gen.someOf(0 until size)
    own <- Gen.listOfN(asked.size, selections)
  } yield (size, asked.zip(own).toMap)

  test(
    "the rules that hold are those of each rule by itself, and of the construct, at and between constants"
  ) {
    forAll(filters) { case (size, own) =>
      val filter = new GroupedFilter(own, size)
      val construct = Construct(own, size, Long.MaxValue)
      for (value <- None +: (-1 to 21).map(Option(_))) {
        val found = filter(value).rules
        assert(found == (0 until size).filter(rule => own.get(rule).forall(holds(_, value))))
        val region = value.fold(construct.constants.ofNull)(construct.constants.region)
        assert(found == construct(region).rules)
      }
    }
  }

  test("a value visits the predicates that hold of it, and those that exclude it") {
    val own = Map[Int, Selection[Int]](
      0 -> Compare(Equal, 5),
      1 -> Compare(Equal, 6),
      2 -> Compare(NotEqual, 5),
      3 -> Compare(Greater, 4),
      4 -> Compare(AtLeast, 5),
      5 -> Compare(Greater, 5),
      6 -> AllOf(Seq(Compare(Less, 6), Compare(AtMost, 5))),
      7 -> Compare(AtMost, 4)
    )
    val filter = new GroupedFilter(own, 8)
    assert(filter(Some(5)).rules == Seq(0, 3, 4, 6) && filter.visited == 6)
    assert(filter(None).isEmpty && filter.visited == 6)
  }

  test("what is no comparison is refused") {
    assertThrows[IllegalArgumentException](new GroupedFilter(Map(0 -> IsNull), 1))
  }
}
