package org.streamon.spark.settings

import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streamon.StreamonConf
import org.streamon.core.constraints.{ConstraintMode, MonitorSettings}

/** What an MJoin does with constraints: the confs of the session, and what a hint says instead. Documented in
  * [[StreamonConf]].
  *
  * @param detect
  *   whether constraints that nobody declared are relied on as well
  * @param window
  *   arrivals from which a k is learned
  * @param threshold
  *   a k above is not used
  * @param retention
  *   the share of dead rows that is kept to tell what the others are missed by
  */
case class ConstraintSettings(
    mode: ConstraintMode,
    detect: Boolean,
    window: Int,
    threshold: Long,
    retention: Double
) {

  /** Whether some of the rows to go stay, to tell of the others. */
  def samples: Boolean = mode == ConstraintMode.Approximate && retention > 0

  /** Nothing is watched for longer than twice what can be used, so that what monitors keep is bounded. */
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
