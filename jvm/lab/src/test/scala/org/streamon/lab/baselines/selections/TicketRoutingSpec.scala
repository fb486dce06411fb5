package org.streamon.lab.baselines.selections

import java.util.SplittableRandom

import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks
import org.streamon.core.selections.Selection.Compare
import org.streamon.core.selections.SelectionCases.{cases, regionOf}
import org.streamon.core.selections.{Comparison, Construct, Selection}

class TicketRoutingSpec extends AnyFunSuite with ScalaCheckPropertyChecks {
  // Half of the cases have rows that are dropped: some thousand in all.
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 100)

  test(
    "a row comes through where a rule holds that asks any attribute, and visits each module once at most"
  ) {
    var dropped = 0
    forAll(cases()) { of =>
      val constructs = of.constructs()
      val routing = new TicketRouting(of.rules.size, constructs, 7, new SplittableRandom(1))
      for ((row, holding) <- of.rows.zip(of.holding)) {
        var visits = Vector.empty[Int]
        val before = routing.visited
        val comes = routing.select { a =>
          visits :+= a
          regionOf(constructs, row, a)
        }
        assert(comes == holding.exists(of.rules(_).nonEmpty))
        assert(visits.distinct == visits && routing.visited - before == visits.size)
        if (!comes) dropped += 1
      }
    }
    info(s"$dropped rows dropped")
    assert(dropped > 100)
  }

  private val n = 4

  /** Each rule asks each attribute, so one module can drop a row. */
  private val constructs = Vector.fill(n)(
    Construct((0 until 5).map(_ -> (Compare(Comparison.Less, 10): Selection[Int])).toMap, 5, Long.MaxValue)
  )

  /** Modules that rows have visited, each.
    *
    * @param drops
    *   the attribute that drops all rows; the others drop none
    */
  private def visits(routing: TicketRouting, rows: Int, drops: Int): Double = {
    val before = routing.visited
    for (_ <- 0 until rows)
      routing.select(a => constructs(a).constants.region(if (a == drops) 50 else 0))
    (routing.visited - before).toDouble / rows
  }

  test("a module that drops rows wins the lottery, and another one a window after it takes its place") {
    val routing = new TicketRouting(5, constructs, 500, new SplittableRandom(2))
    // By chance the module comes first, second, third or last as often.
    val atFirst = visits(routing, 500, drops = 2)
    assert(math.abs(atFirst - 2.5) < 0.2)
    assert(visits(routing, 5000, drops = 2) < 1.05)
    assert(visits(routing, 500, drops = 0) > 1.9)
    assert(visits(routing, 5000, drops = 0) < 1.1)
  }
}
