package org.streamon.core.filters

import org.scalatest.funsuite.AnyFunSuite

class StraightLineOrderSpec extends AnyFunSuite {
  private val straight = Array(0, 1, 2)
  private val learned = Array(2, 0, 1)
  private val none = new FilterSet(3)
  private val last = FilterSet.of(3, 2)

  /** Whether the learned order pays after tuples of which `share` are dropped by filter 2 alone, the others
    * by none.
    */
  private def pays(nanos: Double, share: Double, dispatch: Double = 4.0): Boolean = {
    val order = new StraightLineOrder(straight, dispatch, memory = 1000)
    observe(order, nanos, share)
    order.learnedPays
  }

  private def observe(order: StraightLineOrder, nanos: Double, share: Double, tuples: Int = 4000): Unit =
    for (t <- 1 to tuples)
      order.observe(if (t % 100 < share * 100) last else none, learned, _ => nanos)

  test("filters that cost next to nothing run straight, dear ones in the learned order") {
    // Of ten tuples nine save two evaluations of 0.2 ns (4.2 less the dispatch); one pays two dispatches.
    assert(!pays(nanos = 4.2, share = 0.9))
    assert(pays(nanos = 5000.0, share = 0.9))
  }

  test("the two prices cross where the evaluations saved outweigh the dispatch") {
    // Straight: 3 (t - 4) a tuple. Learned: t - 4 of a tuple that filter 2 drops, 3 t - 4 of another.
    for (share <- Seq(0.2, 0.5, 0.8)) {
      val even = 8.0 / (2.0 * share)
      assert(!pays(even * 0.9, share), s"share $share")
      assert(pays(even * 1.2, share), s"share $share")
    }
  }

  test("tuples that nothing drops cost the same in both orders but for the dispatch") {
    assert(!pays(nanos = 1000.0, share = 0.0))
    assert(!pays(nanos = 1000.0, share = 0.0, dispatch = 0.0))
  }

  test("follows the tuples when they change, both ways, and not on the first few") {
    val order = new StraightLineOrder(straight, 4.0, memory = 200)
    observe(order, nanos = 500.0, share = 0.9, tuples = 20)
    assert(!order.learnedPays)
    observe(order, nanos = 500.0, share = 0.9, tuples = 100)
    assert(order.learnedPays)
    observe(order, nanos = 500.0, share = 0.0)
    assert(!order.learnedPays)
  }

  test("a learned order that never settles is priced all the same") {
    val order = new StraightLineOrder(straight, 4.0, memory = 1000)
    for (t <- 1 to 2000) order.observe(last, if (t / 10 % 2 == 0) learned else Array(2, 1, 0), _ => 500.0)
    assert(order.learnedPays)
  }

  test("a time that is not known yet counts for nothing") {
    val order = new StraightLineOrder(straight, 4.0, memory = 200)
    for (_ <- 1 to 100) order.observe(last, learned, q => if (q == 2) Double.NaN else 100.0)
    assert(order.learnedPays)
  }
}
