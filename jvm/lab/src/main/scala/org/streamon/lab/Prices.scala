package org.streamon.lab

import org.streamon.core.caching.UnitCosts
import scala.util.DynamicVariable

/** What steps of joins cost, in nanoseconds.
  *
  * @param lookUp
  *   in a window
  * @param row
  *   that a look-up goes over
  * @param cacheStep
  *   a look-up in a cache, a tuple offered to it, a key shown to the Profiler
  * @param tupleRead
  *   a tuple taken from a cache, or compared in it
  * @param tupleCreated
  *   a tuple put into a cache on a miss
  */
private[lab] final case class Prices(
    lookUp: Double,
    row: Double,
    cacheStep: Double,
    tupleRead: Double,
    tupleCreated: Double
) {

  /** As A-Caching has them. */
  def unitCosts: UnitCosts = UnitCosts(cacheStep, tupleRead, (cacheStep + tupleCreated) / 2)

  /** Nanoseconds. */
  def of(work: JoinWork): Double =
    work.lookUps * lookUp + work.rows * row + work.cacheSteps * cacheStep + work.read * tupleRead +
      work.created * tupleCreated
}

private[lab] object Prices {

  /** Look-ups and rows are those of windows that are dearer than ours in memory. */
  val assumed: Prices = Prices(lookUp = 100, row = 20, cacheStep = 30, tupleRead = 5, tupleCreated = 25)

  private val current = new DynamicVariable(assumed)

  /** Those that joins made here and now are counted and decided by. */
  def now: Prices = current.value

  /** What is found under other prices. */
  def using[A](prices: Prices)(found: => A): A = current.withValue(prices)(found)
}
