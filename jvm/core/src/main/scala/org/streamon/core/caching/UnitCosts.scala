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

  /** Where rows are numbers in arrays, as in the lab: between what a micro-benchmark of [[SubresultCache]]
    * gives with few keys and with many (`docs/contributors/lab.md`, Prices).
    */
  val amongNumbers: UnitCosts = UnitCosts(probe = 30, tuple = 5, update = 25)

  /** Where rows and keys are far apart in memory, as in Spark, so that each step waits for it: about twice as
    * much is assumed. With 100,000 keys the micro-benchmark gives more for what is put into values.
    */
  val amongRows: UnitCosts = UnitCosts(probe = 60, tuple = 10, update = 55)
}
