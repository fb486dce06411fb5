package org.streamon.spark.execution

import org.scalatest.funsuite.AnyFunSuite
import org.streamon.core.filters.FilterSet
import org.streamon.spark.metrics.Guard
import org.streamon.spark.settings.FilterSettings

/** Tasks of one executor that share a loop, a row at a time by hand. */
class FilterLoopSuite extends AnyFunSuite with TwoConjuncts {
  private val runtime = runtimeOf(FilterSettings.canonical.copy(algorithm = "a-greedy", window = 10))

  private def newTask(loop: FilterLoop, runtime: FilterRuntime = runtime) =
    new FilterTask(runtime, loop, new FilterTally(origin, 2))

  test("what one task learns of an error every task follows, once it has met the error itself") {
    val loop = FilterLoop(runtime, None)
    val (first, second) = (newTask(loop), newTask(loop))
    assert(first.startRow().toSeq == Seq(1, 0) && second.startRow().toSeq == Seq(1, 0))
    assert(
      raises(first) && loop.guards.map(g => (g.first, g.second)) == Seq(0 -> 1) && loop.order.toSeq == Seq(
        0,
        1
      )
    )
    assert(!raises(first), "the task that learned it")
    assert(raises(second) && !raises(second), "another task, which had its order before")
    assert(loop.guards.map(g => (g.first, g.second)) == Seq(0 -> 1))
    assert(first.report().reorders == 1 && second.report().reorders == 0)
  }

  test("under other settings a loop begins with the order and the guards that were learned") {
    val loop = FilterLoop(runtime, None)
    raises(newTask(loop))
    val other = runtime.copy(settings = runtime.settings.copy(window = 20))
    val next = FilterLoop(other, Some(loop))
    assert(!loop.serves(other.settings) && next.serves(other.settings))
    assert(next.order.toSeq == Seq(0, 1) && next.guards == loop.guards)
  }

  test("a guard gets old: the order is free then, until the error is met again") {
    var now = 0L
    val loop = FilterLoop(runtime, None, () => now)
    raises(newTask(loop))
    now = Guard.Life - 1
    assert(loop.serves(runtime.settings))
    now = Guard.Life
    assert(!loop.serves(runtime.settings))
    val next = FilterLoop(runtime.copy(initialGuards = loop.guards), Some(loop), () => now)
    assert(next.serves(runtime.settings) && next.guards.isEmpty)
    assert(next.guard(0, 1).isEmpty && next.guards == Seq(Guard(0, 1, now)), "its order is that of before")
    assert(FilterLoop(runtime.copy(initialGuards = next.guards), None, () => now).order.toSeq == Seq(0, 1))
    assert(FilterLoop(runtime.copy(initialGuards = loop.guards), None, () => now).order.toSeq == Seq(1, 0))
  }

  test("the straight order is the one that is compiled, as tasks come that have another") {
    val first = runtime.copy(straightOrder = Some(Array(1, 0)))
    val second = first.copy(straightOrder = Some(Array(0, 1)))
    val loop = FilterLoop(first, None)
    def begin(runtime: FilterRuntime) = newTask(loop, runtime)
    assert(begin(first).report().reorders == 0 && loop.order.toSeq == Seq(1, 0))
    assert(begin(second).report().reorders == 1 && loop.order.toSeq == Seq(0, 1))
    assert(begin(second).report().reorders == 0)
    assert(begin(second).enterRow() == 2, "straight on")
    assert(newTask(loop).enterRow() == 1, "by its first conjunct")
  }

  test("a sample that another task has made void changes nothing") {
    val loop = FilterLoop(runtime, None)
    val seen = loop.current
    raises(newTask(loop))
    assert(loop.nextPosition(seen, 0, 0, FilterSet.of(2, 0)) == 2, "nothing more of the row is evaluated")
  }
}
