package org.streamon.spark.execution

import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.settings.FilterSettings

/** Tasks of one executor that share a loop, a row at a time by hand. */
class FilterLoopSuite extends AnyFunSuite {

  /** Two conjuncts: the second, which comes first, raises on rows that the first drops. */
  private val runtime = FilterRuntime(
    size = 2,
    initialOrder = Array(1, 0),
    initialGuards = Nil,
    straightOrder = None,
    pinned = Nil,
    FilterSettings.canonical.copy(algorithm = "a-greedy", window = 10),
    "filter",
    "",
    "",
    metrics = null,
    reports = null
  )

  private def newTask(loop: FilterLoop) =
    new FilterTask(runtime, loop, FilterRuntime.Origin("query", "", isStreaming = false))

  /** A row that the first conjunct drops and on which the second raises; whether it was raised. */
  private def row(task: FilterTask): Boolean =
    if (task.startRow()(0) == 0) {
      task.drop(0)
      false
    } else {
      assert(task.withhold(new ArithmeticException, 0) == 0)
      assert(task.advance(0, pass = false) == 2 && !task.verdict())
      true
    }

  test("what one task learns of an error every task follows, once it has met the error itself") {
    val loop = FilterLoop(runtime, None)
    val (first, second) = (newTask(loop), newTask(loop))
    assert(first.startRow().toSeq == Seq(1, 0) && second.startRow().toSeq == Seq(1, 0))
    assert(row(first) && loop.guards == Seq(0 -> 1) && loop.order.toSeq == Seq(0, 1))
    assert(!row(first), "the task that learned it")
    assert(row(second) && !row(second), "another task, which had its order before")
    assert(loop.guards == Seq(0 -> 1))
    assert(first.report().reorders == 1 && second.report().reorders == 0)
  }

  test("under other settings a loop begins with the order and the guards that were learned") {
    val loop = FilterLoop(runtime, None)
    row(newTask(loop))
    val other = runtime.copy(settings = runtime.settings.copy(window = 20))
    val next = FilterLoop(other, Some(loop))
    assert(!loop.serves(other.settings) && next.serves(other.settings))
    assert(next.order.toSeq == Seq(0, 1) && next.guards == loop.guards)
  }

  test("a sample that another task has made void changes nothing") {
    val loop = FilterLoop(runtime, None)
    val seen = loop.current
    row(newTask(loop))
    assert(loop.nextPosition(seen, 0, 0, 1L) == 2, "nothing more of the row is evaluated")
  }
}
