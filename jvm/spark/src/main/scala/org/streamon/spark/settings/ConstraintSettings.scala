package org.streamon.spark.settings

import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streamon.StreamonConf
import org.streamon.core.constraints.{ConstraintMode, MonitorSettings}

/** The settings for the constraints of an MJoin: those of the session, overridden by the options of its hint.
  * [[StreamonConf]] documents them.
  *
  * @param detect
  *   whether undeclared constraints are used too
  * @param window
  *   the number of rows from which a k is learned
  * @param threshold
  *   the largest learned k that is used
  * @param retention
  *   the share of dead rows that stays, to estimate the number of missing results
  */
case class ConstraintSettings(
    mode: ConstraintMode,
    detect: Boolean,
    window: Int,
    threshold: Long,
    retention: Double
) {

  /** Whether a sample of the dead rows stays, to estimate the missing results. */
  def samples: Boolean = mode == ConstraintMode.Approximate && retention > 0

  /** Monitors watch keys at most twice as long as a usable k needs. This bounds their memory. */
  def forCore: MonitorSettings = MonitorSettings(
    window = window,
    threshold = threshold,
    retention = retention,
    horizon = 2 * threshold + 2L * window
  )
}

object ConstraintSettings {
  def apply(conf: SQLConf): ConstraintSettings = ConstraintSettings(
    ConstraintMode(conf.getConf(StreamonConf.JoinConstraints)),
    conf.getConf(StreamonConf.JoinConstraintsDetect),
    conf.getConf(StreamonConf.JoinConstraintsWindow),
    conf.getConf(StreamonConf.JoinConstraintsThreshold),
    conf.getConf(StreamonConf.JoinConstraintsRetention)
  )
}
