package org.streamon.core.util

import org.scalatest.funsuite.AnyFunSuite

class InParallelSpec extends AnyFunSuite {
  test("results have the order of the items, however these are divided") {
    for (size <- Seq(0, 1, 2, 63, 64, 65, 1000); part <- Seq(1, 7, 64, 2000)) {
      val items = (0 until size).map(i => s"item $i")
      assert(InParallel.map(items, part)(_.reverse) == items.map(_.reverse), s"$size by $part")
    }
  }

  test("the failure is that of the first item that fails, as it was thrown") {
    val thrown = (0 until 1000).map(i => new IllegalStateException(s"item $i"))
    val failure = intercept[IllegalStateException] {
      InParallel.map(0 until 1000, part = 10)(i => if (i % 100 == 55) throw thrown(i) else i)
    }
    assert(failure eq thrown(55))
  }
}
