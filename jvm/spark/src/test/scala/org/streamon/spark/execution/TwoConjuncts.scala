package org.streamon.spark.execution

import org.scalatest.Assertions
import org.streamon.spark.routes.Routing
import org.streamon.spark.settings.FilterSettings

/** Tasks of a filter of two conjuncts, a row at a time by hand. The second conjunct, which comes first,
  * raises on rows that the first drops.
  */
trait TwoConjuncts extends Assertions {
  protected val origin = FilterRuntime.Origin("query", "", isStreaming = false)

  protected def runtimeOf(settings: FilterSettings, routing: Option[Routing] = None) = FilterRuntime(
    size = 2,
    initialOrder = Array(1, 0),
    initialGuards = Nil,
    straightOrder = None,
    pinned = Nil,
    blockFrom = None,
    settings,
    "filter",
    "",
    "",
    metrics = null,
    reports = null,
    routing
  )

  /** A row that the first conjunct drops and on which the second raises; whether it was raised. */
  protected def raises(task: FilterTask): Boolean =
    if (task.startRow()(0) == 0) {
      if (task.supervised) {
        task.advance(0, pass = false)
        task.verdict()
      } else task.drop(0)
      false
    } else {
      assert(task.withhold(new ArithmeticException, 0) == 0)
      assert(task.advance(0, pass = false) == 2 && !task.verdict())
      true
    }
}
