package org.streamon.core.constraints

import org.streamon.core.joins.Mixer

/** How k is learned and watched (thesis, Section 6.6.3).
  *
  * @param growth
  *   c: an increase of k by this factor is noticed for certain; 1 or more
  * @param slack
  *   so is an increase by so many tuples, which a factor would not give at k = 0; 0 or more. Not in the
  *   thesis.
  * @param retention
  *   p: the share of keys, by hash, that is watched even beyond that, 0 to 1
  * @param window
  *   W: arrivals after which the greatest distance among them becomes the k in use, if that is less; 1 or
  *   more
  * @param threshold
  *   a k above is not used; 0 or more
  * @param headroom
  *   by which share the k in use is above the greatest distance seen, 0 or more. Not in the thesis.
  * @param horizon
  *   arrivals after which a key that has not come is not watched any longer: that of the join's windows, 1 or
  *   more. Unlimited by default, and then keys that never come again stay while k is not known.
  * @throws IllegalArgumentException
  *   when an argument is outside what is allowed
  */
final case class MonitorSettings(
    growth: Double = 1.2,
    slack: Long = 16,
    retention: Double = 0.01,
    window: Int = 1000,
    threshold: Long = Infinite - 1,
    headroom: Double = 0.1,
    horizon: Long = Infinite
) {
  require(growth >= 1, s"growth = $growth: expected 1 or more")
  require(slack >= 0, s"slack = $slack: expected 0 or more tuples")
  require(retention >= 0 && retention <= 1, s"retention = $retention: expected 0 to 1")
  require(window > 0, s"window = $window: expected 1 or more arrivals")
  require(threshold >= 0, s"threshold = $threshold: expected 0 or more tuples")
  require(headroom >= 0, s"headroom = $headroom: expected 0 or more")
  require(horizon > 0, s"horizon = $horizon: expected 1 or more arrivals")
}

object MonitorSettings {

  /** Whether a hash is among a share of all: the same for equal numbers in every run, so that what is decided
    * from samples is decided again on replay.
    */
  def sampled(number: Long, share: Double): Boolean =
    (Mixer.mix64(number) >>> 11) < share * (1L << 53)
}
