package org.streamon.core.selections

import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks
import org.streamon.core.selections.Comparison._
import org.streamon.core.selections.Selection._
import org.streamon.core.selections.SelectionCases._

/** The paper's search, one construct each monitoring period. */
class PeriodSearchSpec extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 200)

  private def above(c: Int): Selection[Int] = Compare(Greater, c)
  private def row(values: Int*): Row = values.map(Option(_)).toIndexedSeq

  /** @param periods
    *   the rows of each, as many as all others
    */
  private def searched(of: Case, periods: Iterator[Seq[Row]], hybrid: Boolean): PeriodSearch = {
    val constructs = of.constructs()
    val search = new PeriodSearch(of.rules.size, constructs, of.rows.size, hybrid)
    while (!search.isDone) periods.next().foreach(row => search.observe(regionOf(constructs, row, _)))
    search
  }

  private def always(rows: Seq[Row]): Iterator[Seq[Row]] = Iterator.continually(rows)

  test("where all periods have the same rows, it finds what the search in a sample does") {
    var arrows = 0
    for (rules <- Seq(12, 150)) forAll(cases(rules = rules)) { of =>
      val order = MacroSequence.of(of.sample)
      assert(searched(of, always(of.rows), hybrid = false).found == order)
      val hybrid = HybridSequence.of(of.sample, order.macroSequence)
      assert(searched(of, always(of.rows), hybrid = true).found == hybrid)
      arrows += hybrid.arrows.size
    }
    assert(arrows > 100)
  }

  // One rule, so the first construct covers all. Bit by bit: attribute 2 passes the fewest, and so on.
  private val rules = IndexedSeq[Rule](Map(0 -> above(5), 1 -> above(5), 2 -> above(5), 3 -> above(5)))

  test("a period decides by its own rows, and there is one less than there are constructs") {
    val periods = Seq[IndexedSeq[Row]](
      IndexedSeq(row(9, 9, 0, 9), row(9, 0, 0, 9), row(9, 0, 0, 0)), // attribute 2
      IndexedSeq(row(0, 9, 9, 9), row(0, 9, 0, 9), row(9, 0, 0, 9)), // of the first row attribute 0 drops it
      IndexedSeq(row(9, 9, 9, 0), row(0, 0, 9, 9), row(9, 0, 0, 9)) // then attribute 3
    )
    val search = searched(Case(4, rules, periods.head), periods.iterator, hybrid = false)
    assert(search.found.macroSequence == Seq(2, 0, 3, 1))
    // All four for each row; then attribute 2, and the three left for one row; then for the first two rows
    // attributes 2 and 0, and the two left for the first of them alone.
    assert(search.asked == 3 * 4 + (3 + 3) + (2 + 2 + 1 + 2))
  }

  test("rows that drop alike are told apart by what the constructs have passed alone, in the first period") {
    val first =
      IndexedSeq(row(9, 9, 0, 0), row(9, 0, 0, 9), row(0, 9, 0, 0)) // 2 passes none, 3 one, 0 and 1 two
    val alike = Seq.fill(3)(row(0, 0, 9, 0))
    val search = searched(Case(4, rules, first), Iterator(first) ++ always(alike), hybrid = false)
    assert(search.found.macroSequence == Seq(2, 3, 0, 1))
  }

  test("micro-arrows follow the ways that were found, with the candidates of the region alone") {
    // Rule 0 is for kind 1 and asks attribute 1; rule 1 for kind 2 and asks attribute 2.
    val rules = IndexedSeq[Rule](
      Map(0 -> Compare(Equal, 1), 1 -> above(5)),
      Map(0 -> Compare(Equal, 2), 2 -> above(5))
    )
    val rows = Seq(row(1, 0, 9), row(2, 9, 0), row(3, 9, 9))
    val of = Case(3, rules, rows.toIndexedSeq)
    val hybrid = searched(of, always(rows), hybrid = true)
    val construct = of.constructs().head
    val atTwo = construct.blockOf(construct.constants.region(2))
    assert(hybrid.found == Sequence(Vector(0, 1, 2), Map((0, atTwo) -> 2)))
    // The first construct is the same for all rows. Kind 1 has no candidate but the next of the
    // macro-sequence. Kind 2 has attribute 2, which is measured against it. Then each kind is dropped by its
    // second construct, and no way is left.
    val order = searched(of, always(rows), hybrid = false)
    assert(hybrid.asked - order.asked == (3 + 2) + (3 + 2))
  }

  test("no rules, no attribute, one attribute: there is nothing to find") {
    assert(new PeriodSearch(0, IndexedSeq.empty, 10, hybrid = true).isDone)
    val one = Construct(Map(0 -> above(5)), 1, Long.MaxValue)
    val search = new PeriodSearch(1, IndexedSeq(one), 10, hybrid = true)
    assert(search.isDone && search.found == Sequence(Vector(0)) && search.asked == 0)
  }

  test("the loop searches at once, and again when the dropping ratio has moved by the threshold") {
    val of = Case(2, IndexedSeq[Rule](Map(0 -> above(5), 1 -> above(5))), IndexedSeq.empty)
    val constructs = of.constructs()
    for ((threshold, searches) <- Seq(0.0 -> 4, 0.4 -> 2, 2.0 -> 1)) {
      val settings = PeriodSettings(period = 100, threshold = threshold, monitoring = 50, hybrid = false)
      val loop = new PeriodLoop(1, constructs, Sequence(Vector(0, 1)), settings)
      def feed(row: Row, times: Int): Unit = for (_ <- 0 until times) {
        val dropped = row.exists(_.get <= 5)
        loop.observe(regionOf(constructs, row, _), dropped)
      }
      feed(row(9, 0), 49)
      assert(loop.current.macroSequence == Seq(0, 1))
      feed(row(9, 0), 1)
      assert(loop.current.macroSequence == Seq(1, 0) && loop.searches == 1 && loop.asked == 100)
      // A period in which half as many rows are dropped, then a search or none.
      feed(row(0, 9), 50)
      feed(row(9, 9), 50)
      feed(row(0, 9), 50)
      assert(loop.current.macroSequence == (if (searches == 1) Seq(1, 0) else Seq(0, 1)))
      feed(row(0, 9), 300)
      assert(loop.searches == searches)
    }
  }

  test("settings that are none are refused with what is allowed") {
    def refusal(settings: => PeriodSettings) = intercept[IllegalArgumentException](settings).getMessage
    assert(refusal(PeriodSettings(period = 0)).contains("1 row or more"))
    assert(refusal(PeriodSettings(threshold = -1)).contains("0 or more"))
    assert(refusal(PeriodSettings(monitoring = 0)).contains("1 row or more"))
  }
}
