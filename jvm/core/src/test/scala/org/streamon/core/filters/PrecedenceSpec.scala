package org.streamon.core.filters

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class PrecedenceSpec extends AnyFunSuite with ScalaCheckPropertyChecks {

  test("guards are transitive, in whichever sequence they come") {
    val p = Precedence.of(4, 2 -> 3, 0 -> 1, 1 -> 2)
    assert(p.guardsOf(3).members == Seq(0, 1, 2))
    assert(p.allows(2, FilterSet.of(4, 0, 1)) && !p.allows(2, FilterSet.of(4, 1)))
  }

  test("a cycle is refused and leaves no trace") {
    val p = Precedence.of(3, 0 -> 1, 1 -> 2)
    assert(!p.add(2, 0) && !p.add(1, 1))
    assert(p.guardsOf(0).isEmpty && p.guardsOf(1).members == Seq(0))
    assertThrows[IllegalArgumentException](Precedence.of(2, 0 -> 1, 1 -> 0))
  }

  test("a copy goes its own way") {
    val p = Precedence.of(3, 0 -> 1)
    p.copy().add(1, 2)
    assert(p.guardsOf(2).isEmpty)
  }

  private val cases = for {
    n <- DropSets.sizes(Gen.choose(1, 8), oneOf = 2)
    edges <- Gen.listOf(Gen.zip(Gen.choose(0, n - 1), Gen.choose(0, n - 1)))
    order <- Gen.pick(n, 0 until n)
    seed <- Gen.long
  } yield (n, edges, new scala.util.Random(seed).shuffle(order.toSeq).toArray)

  test("repair obeys every edge that was accepted, moves nothing needlessly, and keeps an order that obeys") {
    forAll(cases) { case (n, edges, order) =>
      val p = new Precedence(n)
      val accepted = edges.filter { case (g, q) => p.add(g, q) }
      val repaired = p.repair(order)
      assert(repaired.sorted.sameElements(0 until n))
      assert(accepted.forall { case (g, q) => repaired.indexOf(g) < repaired.indexOf(q) })
      assert(p.obeyedBy(repaired))
      assert(p.obeyedBy(order) == order.sameElements(repaired))
      // Stable: a filter stands before an earlier one only when that one still waits for a guard.
      for (r <- 0 until n; q <- order.takeWhile(_ != repaired(r)) if repaired.indexOf(q) > r)
        assert(!p.allows(q, Orders.prefix(repaired, r)))
    }
  }
}
