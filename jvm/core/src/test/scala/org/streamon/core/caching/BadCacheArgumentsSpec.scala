package org.streamon.core.caching

import java.util.SplittableRandom
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.core.joins._

/** What cannot be is refused with the text at fault and what is allowed. */
class BadCacheArgumentsSpec extends AnyFunSuite {

  private def refusal(make: => Any): String =
    intercept[IllegalArgumentException](make).getMessage

  test("settings") {
    assert(refusal(CacheSettings(interval = 0)).contains("interval = 0: expected 1 or more elements"))
    assert(refusal(CacheSettings(window = 0)).contains("window = 0: expected 1 or more observations"))
    assert(refusal(CacheSettings(change = -0.1)).contains("change = -0.1: expected 0 or more"))
    assert(refusal(CacheSettings(change = Double.NaN)).contains("change = NaN: expected 0 or more"))
    assert(refusal(CacheSettings(largest = 0)).contains("largest = 0: expected 1 or more tuples"))
    assert(refusal(CacheSettings(candidates = 0)).contains("candidates = 0: expected 1 or more"))
  }

  test("memory") {
    for (bytes <- Seq(0L, -1L))
      assert(refusal(new CacheMemory(bytes)).contains(s"memory of $bytes bytes: expected 1 or more"))
  }

  test("modes by name") {
    assert(CacheMode.all.map(_.name) == Seq("off", "prefix", "global"))
    assert(CacheMode.all.forall(m => CacheMode(m.name).contains(m)))
    assert(CacheMode("PREFIX").isEmpty && CacheMode("on").isEmpty)
  }

  test("a cache forced on windows that are not joined with each other, too few or too many") {
    val graph = new JoinGraph(4, JoinCases.distinctClasses(JoinCases.chain(4)))
    def forced(windows: Int*) = refusal(
      new JoinCaches(
        new PipelineOrders(graph, "static"),
        CacheSettings(forced = Seq(Bits.of(windows))),
        new CacheMemory(1),
        new SplittableRandom(1)
      )
    )
    val expected = "expected two or more, but not all, that are joined with each other"
    for (windows <- Seq(Seq(0, 2), Seq(0, 1, 3), Seq(1), Seq(0, 1, 2, 3), Seq(2, 3, 4)))
      assert(forced(windows: _*).contains(s"inputs ${windows.mkString(", ")} of 4: $expected"))
  }
}
