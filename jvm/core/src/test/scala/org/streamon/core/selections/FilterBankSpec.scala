package org.streamon.core.selections

import java.util.SplittableRandom

import scala.util.{Failure, Success, Try}

import org.scalatest.funsuite.AnyFunSuite
import org.streamon.core.filters.OrderLoop

class FilterBankSpec extends AnyFunSuite {
  import FilterBankSpec._

  /** Conditions whose verdicts a row tells: true, false, or an error. Evaluating one takes its time. */
  private class Run(rules: Seq[Seq[Int]], nanos: Seq[Long], isFixed: Boolean = false) {
    val loop = new BankLoop(rules.map(_.toArray).toArray, nanos.size, isFixed, () => millis)
    private var now = 0L
    var millis = 0L
    var row: Int => Option[Boolean] = _
    var calls = Vector.empty[Int]
    var decisions = Vector.empty[OrderLoop.Reorder]

    private def evaluate(condition: Int): Boolean = {
      now += nanos(condition)
      calls :+= condition
      row(condition).getOrElse(throw Raised(condition))
    }

    private val sampling = new SplittableRandom(0)

    def newBank() = new FilterBank(loop, evaluate, _ => false, () => now, random = sampling)
    val bank: FilterBank = newBank()

    /** Which of the rules that may hold do hold. */
    def holds(of: FilterBank, alive: Seq[Int])(row: Int => Option[Boolean]): Seq[Boolean] = {
      this.row = row
      calls = Vector.empty
      val found = alive.map(of.holds)
      of.end()
      decisions ++= loop.review()
      found
    }

    def feed(rows: Int, alive: Seq[Int])(row: Int => Option[Boolean]): Unit =
      for (_ <- 0 until rows) holds(bank, alive)(row)

    def order(rule: Int): Seq[Int] = loop.current.plan.ofRule(rule).toSeq
  }

  /** What a rule says alone, in written order. */
  private def alone(rule: Seq[Int])(row: Int => Option[Boolean]): Try[Boolean] =
    Try(rule.forall(c => row(c).getOrElse(throw Raised(c))))

  test("rules hold of the rows for which each alone holds, and raise no error that they do not raise alone") {
    var withheld, raised, reordered = 0L
    for (seed <- 1L to 25L) {
      val random = new SplittableRandom(seed)
      val conditions = 2 + random.nextInt(70)
      val rules = Seq.fill(1 + random.nextInt(30)) {
        Seq.fill(1 + random.nextInt(4))(random.nextInt(conditions)).distinct
      }
      val passes = Seq.fill(conditions)(random.nextDouble())
      val raises = Seq.fill(conditions)(if (random.nextInt(8) == 0) 0.003 else 0.0)
      val run = new Run(rules, Seq.fill(conditions)(1L + random.nextInt(1000)))
      var bank = run.bank
      for (_ <- 0 until 5000) {
        val verdicts = (0 until conditions).map { c =>
          if (random.nextDouble() < raises(c)) None else Some(random.nextDouble() < passes(c))
        }
        val alive = rules.indices.filter(_ => random.nextInt(3) > 0)
        val expected = alive.map(r => alone(rules(r))(verdicts))
        Try(run.holds(bank, alive)(verdicts)) match {
          case Success(found) =>
            for ((r, (says, holds)) <- alive.zip(expected.zip(found))) {
              // An error may vanish on a row that another condition of the rule rejects.
              def isRejected = rules(r).exists(verdicts(_).contains(false))
              assert(says.fold(_ => !holds && isRejected, _ == holds), s"seed $seed, rule $r")
            }
          case Failure(error) =>
            raised += 1
            assert(expected.collect { case Failure(e) => e }.contains(error), s"seed $seed")
            withheld += bank.withheld
            bank = run.newBank()
        }
        assert(run.calls.distinct == run.calls, s"seed $seed: a condition was evaluated twice")
      }
      withheld += bank.withheld
      reordered += run.decisions.size
    }
    info(s"$withheld rows with an error withheld, $raised with one raised, $reordered reorders")
    assert(withheld > 0 && raised > 0 && reordered > 20)
  }

  test(
    "the condition that decides most in the least time goes first, and one that rules share before another"
  ) {
    val run = new Run(Seq(Seq(0, 1, 2), Seq(0, 3), Seq(3, 4), Seq(5)), Seq(100, 100, 10, 100, 100, 1))
    val random = new SplittableRandom(1)
    run.feed(20000, Seq(0, 1, 2, 3)) {
      case 0 => Some(random.nextInt(10) > 0)
      case 2 => Some(random.nextInt(10) > 4)
      case 3 => Some(random.nextInt(10) > 4)
      case 4 => Some(random.nextInt(10) > 5)
      case _ => Some(true)
    }
    assert(run.order(0) == Seq(2, 0, 1))
    // Condition 4 drops more than 3, but 3 serves two rules.
    assert(run.order(1) == Seq(3, 0) && run.order(2) == Seq(3, 4) && run.order(3) == Seq(5))
    val last = run.decisions.last
    assert(last.newPlan.head == 2 && math.abs(last.statistics.dropRate(2) - 0.5) < 0.1)
    assert(last.statistics.nanos == Seq(100.0, 100.0, 10.0, 100.0, 100.0, 1.0))
  }

  test("an order follows the rows, and does not follow noise") {
    val run = new Run(Seq(Seq(0, 1)), Seq(10, 10))
    val random = new SplittableRandom(2)
    def rows(first: Double, second: Double): Unit =
      run.feed(300000, Seq(0))(c => Some(random.nextDouble() < (if (c == 0) first else second)))
    rows(0.9, 0.3)
    assert(run.order(0) == Seq(1, 0) && run.decisions.size == 1)
    rows(0.31, 0.3)
    assert(run.decisions.size == 1)
    rows(0.3, 0.9)
    assert(run.order(0) == Seq(0, 1) && run.decisions.size == 2)
  }

  test("rows that repeat in a period are sampled like others") {
    val run = new Run(Seq(Seq(0, 1)), Seq(10, 10))
    for (row <- 0 until 20000)
      run.holds(run.bank, Seq(0))(c => Some((row % 64 < 48) == (c == 1)))
    assert(run.order(0) == Seq(0, 1))
  }

  test("samples take a small share of the evaluations") {
    val run = new Run(Seq(0 until 20), Seq.fill(20)(10L))
    run.feed(100000, Seq(0))(c => Some(c != 0))
    val all = (0 until 20).map(run.bank.evaluated).sum
    assert(run.bank.sampled > 100 && all < 1.05 * 100000, s"$all evaluations, ${run.bank.sampled} samples")
  }

  test("what raises out of turn goes behind, so that the error is seldom met again") {
    val run = new Run(Seq(Seq(0, 1)), Seq(100, 1))
    val random = new SplittableRandom(3)
    // Condition 0 guards condition 1, which is cheaper and drops more.
    def feed(rows: Int): Unit = for (_ <- 0 until rows) {
      val guard = random.nextInt(4) > 0
      assert(
        run
          .holds(run.bank, Seq(0)) { c =>
            if (c == 0) Some(guard) else if (guard) Some(random.nextInt(10) == 0) else None
          }
          .size == 1
      )
    }
    feed(50000)
    val withheld = run.bank.withheld
    assert(run.order(0) == Seq(0, 1) && withheld > 0 && run.decisions.size == 2)
    feed(50000)
    assert(run.bank.withheld == withheld)
    // After an hour it is tried again.
    run.millis += 3600L * 1000L
    feed(50000)
    assert(run.decisions.size == 3)
  }

  test("rules that are each alive on few rows are learned too, and compiling a condition is not its price") {
    val run = new Run((0 until 200).map(r => Seq(2 * r, 2 * r + 1)), Seq.fill(400)(10L))
    val random = new SplittableRandom(4)
    for (_ <- 0 until 1500000)
      run.holds(run.bank, Seq(random.nextInt(200)))(c =>
        Some(random.nextInt(10) < (if (c % 2 == 0) 9 else 3))
      )
    assert((0 until 200).count(r => run.order(r) == Seq(2 * r + 1, 2 * r)) > 180)
    assert(run.decisions.size < 60, "noise alone")
  }

  test("short tasks sample as seldom as long ones") {
    val run = new Run(Seq(Seq(0, 1)), Seq(1, 1))
    val sampled = (0 until 6400).map { _ =>
      val bank = run.newBank()
      run.holds(bank, Seq(0))(_ => Some(true))
      bank.sampled
    }.sum
    assert(sampled > 70 && sampled < 130, sampled)
  }

  test("an order that was learned elsewhere is the first, unless something has been learned here") {
    val run = new Run(Seq(Seq(0, 1), Seq(2)), Seq(1, 1, 1))
    run.loop.begin(IndexedSeq(2, 1, 0))
    assert(run.order(0) == Seq(1, 0) && run.order(1) == Seq(2))
    run.feed(1000, Seq(0))(_ => Some(true))
    run.loop.begin(IndexedSeq(0, 1, 2))
    assert(run.order(0) == Seq(1, 0))
  }

  test("a fixed bank keeps the written order, and samples nothing") {
    val run = new Run(Seq(Seq(0, 1)), Seq(100, 1), isFixed = true)
    run.loop.begin(IndexedSeq(1, 0))
    run.feed(20000, Seq(0))(c => Some(c == 0))
    assert(run.order(0) == Seq(0, 1) && run.bank.sampled == 0 && run.decisions.isEmpty)
  }

  test("an error that says nothing about the row is not withheld") {
    val loop = new BankLoop(Array(Array(0, 1)), 2)
    loop.begin(IndexedSeq(1, 0))
    val bank = new FilterBank(loop, c => if (c == 1) throw Raised(1) else false, _ => true)
    assert(intercept[Raised](bank.holds(0)).condition == 1)
  }
}

private object FilterBankSpec {
  final case class Raised(condition: Int) extends Exception
}
