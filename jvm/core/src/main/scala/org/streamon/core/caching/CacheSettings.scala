package org.streamon.core.caching

/** How caches are chosen.
  *
  * @param mode
  *   which are considered
  * @param interval
  *   I, elements between two times that statistics are gathered anew; 1 or more
  * @param window
  *   W, observations that an estimate is the mean of; 1 or more
  * @param change
  *   the share by which a benefit or a cost must have changed for a new selection; 0 or more
  * @param candidates
  *   m: with fewer candidates under the prefix invariant, globally-consistent ones are considered up to it
  * @param largest
  *   tuples of a value: with more it is not kept
  * @param costs
  *   of a cache's own work
  * @param forced
  *   subresults, each a set of windows as bits: only these are cached, wherever they can be, and always
  * @throws IllegalArgumentException
  *   when an argument is outside what is allowed
  */
final case class CacheSettings(
    mode: CacheMode = CacheMode.Prefix,
    interval: Int = 10000,
    window: Int = 20,
    change: Double = 0.2,
    candidates: Int = 6,
    costs: UnitCosts = UnitCosts.amongNumbers,
    forced: Seq[Long] = Nil,
    largest: Int = 1 << 16
) {
  require(interval > 0, s"interval = $interval: expected 1 or more elements")
  require(window > 0, s"window = $window: expected 1 or more observations")
  require(change >= 0, s"change = $change: expected 0 or more")
  require(largest > 0, s"largest = $largest: expected 1 or more tuples")
  require(candidates > 0, s"candidates = $candidates: expected 1 or more")
}
