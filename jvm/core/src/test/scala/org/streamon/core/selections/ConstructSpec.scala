package org.streamon.core.selections

import java.util.SplittableRandom

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks
import org.streamon.core.selections.Comparison._
import org.streamon.core.selections.Selection._
import org.streamon.core.selections.SelectionCases._

class ConstructSpec extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 100)

  test("a construct has the rules that can hold in each region, those that do not ask it among them") {
    // Rule 0: x < 10. Rule 1: x = 10 OR x IS NULL. Rule 2 asks something else.
    val asked = Map[Int, Selection[Int]](
      0 -> Compare(Less, 10),
      1 -> AnyOf(Seq(Compare(Equal, 10), IsNull))
    )
    val construct = Construct(asked, 3, Long.MaxValue)
    assert((0 until 4).map(construct(_).rules) == Seq(Seq(0, 2), Seq(1, 2), Seq(2), Seq(1, 2)))
    assert(construct.used.rules == Seq(0, 1))
  }

  test("whatever the limit of memory, the sets are the same") {
    forAll(cases(most = 1), Gen.choose(0L, 3000L)) { (of, bytes) =>
      val (whole, small) = (of.constructs().head, of.constructs(bytes).head)
      for (region <- 0 until whole.constants.regions) {
        val expected = of.rules.indices.filter(j =>
          of.rules(j).get(0).forall(s => whole.constants.ranges(s).contains(region))
        )
        assert(whole(region).rules == expected)
        assert(small(region).rules == expected)
      }
      assert(small.bytes <= math.max(whole.bytes, bytes))
    }
  }

  test("the limit is obeyed where several rules have each constant") {
    for (each <- Seq(1, 2, 10)) {
      val size = 5000
      val asked = (0 until size).map(rule => rule -> (Compare(Equal, rule / each): Selection[Int])).toMap
      val whole = Construct(asked, size, Long.MaxValue)
      // A bitmap for each region would take four times as much.
      val limit = whole.constants.regions.toLong * (size / 64) * 8 / 4
      val small = Construct(asked, size, limit)
      assert(small.sets.bytes <= limit, each)
      for (region <- 0 until whole.constants.regions by 7) assert(small(region).rules == whole(region).rules)
    }
  }

  test("a limit of 2 KB a rule is obeyed where one bitmap for each region takes far more") {
    val (size, n, limit) = (1 << 15, 10, 2048L << 15)
    val random = new SplittableRandom(1)
    val asked = (0 until size).map { rule =>
      val from = random.nextInt(1 << 20)
      rule -> (AllOf(Seq(Compare(AtLeast, from), Compare(Less, from + random.nextInt(1 << 16)))): Selection[
        Int
      ])
    }.toMap
    val construct = Construct(asked, size, limit / n)
    assert(construct.constants.regions.toLong * size / 8 > 10 * limit / n)
    assert(construct.bytes <= limit / n + size)
    for (region <- 0 until construct.constants.regions by 9973) {
      val expected =
        asked.filter { case (_, s) => construct.constants.ranges(s).contains(region) }.keys.toSeq.sorted
      assert(construct(region).rules == expected)
    }
  }
}
