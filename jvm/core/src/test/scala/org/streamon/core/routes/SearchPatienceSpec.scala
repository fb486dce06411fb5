package org.streamon.core.routes

import org.scalatest.funsuite.AnyFunSuite

class SearchPatienceSpec extends AnyFunSuite {

  /** The reviews, from 1 on, that search when no search finds anything. */
  private def searches(reviews: Int, cost: Int => Double): Seq[Int] = {
    val patience = new SearchPatience(0.9)
    (1 to reviews).filter { r =>
      val search = patience.isOver(cost(r))
      if (search) patience.grow(cost(r))
      search
    }
  }

  test("searches in vain become rare") {
    assert(searches(64, _ => 100.0) == Seq(1, 3, 7, 15, 31, 47, 63))
  }

  test("what has become dearer is searched for at once") {
    assert(searches(14, r => if (r < 10) 100.0 else 120.0) == Seq(1, 3, 7, 10))
    assert(searches(14, r => if (r < 10) 100.0 else 105.0) == Seq(1, 3, 7))
  }

  test("a change of what runs begins anew") {
    val patience = new SearchPatience(0.9)
    patience.grow(100.0)
    assert(!patience.isOver(100.0))
    patience.reset()
    assert(patience.isOver(100.0))
  }
}
