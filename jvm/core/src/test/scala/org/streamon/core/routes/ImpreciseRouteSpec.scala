package org.streamon.core.routes

import java.util.SplittableRandom

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks
import org.streamon.Allocated
import org.streamon.core.filters.Precedence

class ImpreciseRouteSpec extends AnyFunSuite with ScalaCheckPropertyChecks {

  /** Filters 1 and 2 are alike; filter 0 is much better, filter 3 much worse. */
  private val drops = Seq.fill(8)(Set(0)) ++ Seq(Set(1), Set(2), Set.empty[Int])
  private val nanos = Seq(100L, 100L, 100L, 900L)

  test("filters that cost alike in either order are alternatives") {
    val profile = RouteCases.block(drops, nanos)
    val order = Vector(0, 1, 2, 3)
    assert(ImpreciseRoute.of(profile, order, new Precedence(4), 0.05).toString == "<0, 1|2, 3>")
    assert(ImpreciseRoute.of(profile, order, new Precedence(4), 10.0).toString == "<0|1|2, 3>")
    val apart = Precedence.of(4, 1 -> 2)
    assert(ImpreciseRoute.of(profile, order, apart, 0.05).toString == "<0, 1, 2, 3>")
    assert(ImpreciseRoute.of(RouteCases.block(Nil, nanos), order, new Precedence(4), 10.0).entries.size == 4)
    assertThrows[IllegalArgumentException](ImpreciseRoute.of(profile, order, apart, -0.1))
  }

  test("a row meets every filter once, entry by entry, whatever the lottery says") {
    val route = ImpreciseRoute(Vector(Vector(2), Vector(3, 0, 1), Vector(4)))
    forAll(Gen.long, Gen.listOf(Gen.zip(Gen.choose(0, 4), Gen.oneOf(true, false)))) { (seed, told) =>
      val lottery = new RouteLottery(route, 5, new SplittableRandom(seed))
      told.foreach { case (q, passes) => lottery.record(q, passes) }
      for (_ <- 1 to 3) {
        lottery.begin()
        val taken = Seq.fill(5)(lottery.next())
        assert(lottery.next() == -1 && taken.head == 2 && taken.last == 4 && taken.sorted == (0 to 4))
      }
    }
  }

  test("the lottery's weights are 1 less the running selectivity, and follow the latest rows") {
    val lottery = new RouteLottery(ImpreciseRoute(Vector(Vector(0, 1))), 2, new SplittableRandom(1))
    def firstIs0 = Seq.fill(10000) { lottery.begin(); lottery.next() }.count(_ == 0) / 10000.0
    assert(math.abs(firstIs0 - 0.5) < 0.03)
    for (i <- 1 to 800) {
      lottery.record(0, passes = i % 10 == 0) // a tenth passes
      lottery.record(1, passes = i % 10 >= 3) // seven tenths pass
    }
    assert(math.abs(lottery.selectivity(0) - 0.1) < 0.01 && math.abs(firstIs0 - 0.75) < 0.03)
    for (_ <- 1 to 20000) lottery.record(0, passes = true)
    assert(lottery.selectivity(0) > 0.99 && firstIs0 < 0.1)
  }

  test("to draw allocates nothing") {
    val lottery = new RouteLottery(ImpreciseRoute(Vector(Vector(0, 1, 2))), 3, new SplittableRandom(1))
    var sum = 0
    def go(times: Int): Unit = for (_ <- 0 until times) {
      lottery.begin()
      var q = lottery.next()
      while (q >= 0) {
        lottery.record(q, passes = q != 1)
        sum += q
        q = lottery.next()
      }
    }
    go(20000)
    assert(Allocated.by(go(100000)) < 10000, sum)
  }
}
