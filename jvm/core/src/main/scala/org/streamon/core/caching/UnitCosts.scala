package org.streamon.core.caching

/** Nanoseconds of a cache's own work (thesis, Section 5.4.2: probe_cost and update_cost).
  *
  * @param probe
  *   a look-up
  * @param tuple
  *   a tuple read from a value
  * @param update
  *   a tuple put into a value, or offered and found to have no entry
  */
final case class UnitCosts(probe: Double, tuple: Double, update: Double)

object UnitCosts {

  /** What a micro-benchmark of [[SubresultCache]] gives, about. */
  val measured: UnitCosts = UnitCosts(probe = 30, tuple = 5, update = 25)

  /** The same where rows and keys are far apart in memory, so that each step waits for it. */
  val amongRows: UnitCosts = UnitCosts(probe = 60, tuple = 10, update = 55)
}
