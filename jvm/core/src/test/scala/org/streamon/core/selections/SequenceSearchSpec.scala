package org.streamon.core.selections

import java.util.SplittableRandom

import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks
import org.streamon.core.selections.Comparison._
import org.streamon.core.selections.Selection._
import org.streamon.core.selections.SelectionCases._

/** Macro-sequences and micro-arrows, on samples. */
class SequenceSearchSpec extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 100)

  private def above(c: Int): Selection[Int] = Compare(Greater, c)
  private def row(values: Int*): Row = values.map(Option(_)).toIndexedSeq

  /** Constructs asked of the rows of a case. */
  private def cost(of: Case, sequence: Sequence): Long = {
    val constructs = of.constructs()
    val selector = new Selector(of.rules.size, constructs, sequence)
    of.rows.foreach(row => selector.select(regionOf(constructs, row, _)))
    selector.constructsAsked
  }

  test("until each rule is covered, the construct comes next that leaves the fewest of the others alive") {
    // Attribute 2 asks of rules 0 and 1, attribute 0 of rules 2 and 3, attribute 1 of all.
    val rules = IndexedSeq[Rule](
      Map(2 -> above(5), 1 -> above(0)),
      Map(2 -> above(5), 1 -> above(0)),
      Map(0 -> above(5), 1 -> above(0)),
      Map(0 -> above(5), 1 -> above(0))
    )
    // Attribute 1 covers all at once, but hardly ever says no.
    val rows = IndexedSeq(row(9, 9, 0), row(0, 9, 0), row(9, 9, 0), row(0, 0, 9))
    assert(MacroSequence.of(Case(3, rules, rows).sample).macroSequence == Seq(2, 0, 1))
  }

  test(
    "after that the construct comes next that drops the most rows; of equals that which passes the fewest"
  ) {
    // One rule, so the first construct covers it: that which passes the fewest.
    val rules = IndexedSeq[Rule](Map(0 -> above(5), 1 -> above(0), 2 -> above(5), 3 -> above(5)))
    val rows =
      IndexedSeq(
        row(0, 1, 9, 9),
        row(9, 1, 0, 9),
        row(9, 1, 0, 9),
        row(9, 0, 9, 9),
        row(0, 0, 0, 0),
        row(9, 9, 0, 9)
      )
    // Attribute 2 passes two rows. Of these attribute 0 drops one and attribute 1 the other. Alone, both drop two.
    assert(MacroSequence.of(Case(4, rules, rows).sample).macroSequence == Seq(2, 0, 1, 3))
    // With a row more that attribute 1 drops and another construct drops first, it comes before attribute 0.
    val more = rows :+ row(9, 0, 0, 9)
    assert(MacroSequence.of(Case(4, rules, more).sample).macroSequence == Seq(2, 1, 0, 3))
  }

  test("a region has an arrow where another construct is better for its rows than the next") {
    // Rows of two kinds: rule 0 is for kind 1 and asks attribute 1, rule 1 for kind 2 and asks attribute 2.
    val rules = IndexedSeq[Rule](
      Map(0 -> Compare(Equal, 1), 1 -> above(5)),
      Map(0 -> Compare(Equal, 2), 2 -> above(5))
    )
    val rows = IndexedSeq.fill(5)(row(1, 0, 9)) ++ IndexedSeq.fill(4)(row(2, 9, 0)) :+ row(3, 9, 9)
    val of = Case(3, rules, rows)
    val hybrid = HybridSequence.of(of.sample, Vector(0, 1, 2))
    val construct = of.constructs().head
    val atTwo = construct.blockOf(construct.constants.region(2))
    assert(hybrid.arrows == Map((0, atTwo) -> 2))
    assert(cost(of, Sequence(Vector(0, 1, 2))) == 5 * 2 + 4 * 3 + 1 && cost(of, hybrid) == 5 * 2 + 4 * 2 + 1)
  }

  test("an arrow never leads to a construct that no rule of its block of regions asks") {
    var arrows = 0
    for (rules <- Seq(12, 150)) forAll(cases(most = 4, rules = rules)) { of =>
      val sample = of.sample
      for (((from, block), to) <- HybridSequence.of(sample, MacroSequence.of(sample).macroSequence).arrows) {
        val construct = sample.constructs(from)
        val region = (0 until construct.constants.regions).find(construct.blockOf(_) == block).get
        assert(construct.retained(region).rules.exists(of.rules(_).contains(to)))
        arrows += 1
      }
    }
    assert(arrows > 10)
  }

  test("arrows help on rows of several kinds, and both come near the best sequence of all") {
    val random = new SplittableRandom(7)
    val ratios = Seq.fill(20) {
      val rules = IndexedSeq.fill(30) {
        val kind = random.nextInt(4)
        val of = Seq(1 + kind, 1 + (kind + 1) % 5)
        (of.map(a => a -> above(40 + random.nextInt(50))) :+ (0 -> Compare(Equal, kind)))
          .toMap[Int, Selection[Int]]
      }
      def rows = IndexedSeq.fill(2000)(
        (random.nextInt(5) +: Seq.fill(5)(random.nextInt(100))).map(Option(_)).toIndexedSeq
      )
      val (seen, fresh) = (Case(6, rules, rows), Case(6, rules, rows))
      val sequence = MacroSequence.of(seen.sample)
      val hybrid = HybridSequence.of(seen.sample, sequence.macroSequence)
      val every =
        (0 until 6).permutations.map(p => cost(fresh.copy(rows = fresh.rows.take(200)), Sequence(p)))
      val best = every.min.toDouble
      val few = fresh.copy(rows = fresh.rows.take(200))
      (cost(few, sequence) / best, cost(few, hybrid) / best)
    }
    val (fixed, arrows) = (ratios.map(_._1).sum / ratios.size, ratios.map(_._2).sum / ratios.size)
    info(f"over the best fixed sequence: macro $fixed%.3f, hybrid $arrows%.3f")
    assert(fixed < 1.05 && arrows < fixed && arrows < 1.0)
  }

  test("two constructs that drop rows only together come first by the local search, and never cost more") {
    // Attributes 0 and 1 have a value above 5 in half of the rows, never both. Attribute 2 drops more alone.
    val rules = IndexedSeq[Rule]((0 until 4).map(_ -> above(5)).toMap)
    val rows = (0 until 100).map(k => row(if (k % 2 == 0) 9 else 0, k % 2 * 9, if (k % 9 < 4) 9 else 0, 9))
    val together = Case(4, rules, rows)
    val greedy = MacroSequence.of(together.sample).macroSequence
    val improved = ImprovedSequence.of(greedy, m => cost(together, Sequence(m)))
    assert(greedy.head == 2 && improved.take(2).toSet == Set(0, 1), (greedy, improved))
    var better = 0
    forAll(cases(least = 3, most = 5)) { of =>
      val sequence = MacroSequence.of(of.sample).macroSequence
      val other = ImprovedSequence.of(sequence, m => cost(of, Sequence(m)))
      assert(other.sorted == sequence.sorted)
      val (before, after) = (cost(of, Sequence(sequence)), cost(of, Sequence(other)))
      assert(after <= before)
      if (after < before) better += 1
    }
    assert(better > 0)
  }
}
