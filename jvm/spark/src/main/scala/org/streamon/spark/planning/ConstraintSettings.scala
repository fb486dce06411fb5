package org.streamon.spark.planning

import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streamon.StreamonConf
import org.streamon.core.constraints.MonitorSettings

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

/** What happens to rows that, by the constraints, are in no future result.
  *
  * @param evicts
  *   whether memory lets go of them
  */
sealed abstract class ConstraintMode(val name: String, val evicts: Boolean)

object ConstraintMode {

  /** Nothing is measured. */
  case object Off extends ConstraintMode("off", evicts = false)

  /** They are counted, on a sample, and stay. */
  case object Observe extends ConstraintMode("observe", evicts = false)

  /** They leave memory for the state store, and are found there. */
  case object Exact extends ConstraintMode("exact", evicts = true)

  /** They go (thesis, Chapter 6). */
  case object Approximate extends ConstraintMode("approximate", evicts = true)

  /** As in exact, by declared constraints only, and a row that breaks one stops the query. */
  case object Strict extends ConstraintMode("strict", evicts = true)

  val all: Seq[ConstraintMode] = Seq(Off, Observe, Exact, Approximate, Strict)

  /** @param name
    *   one of `all`
    */
  def apply(name: String): ConstraintMode = all.find(_.name == name).get
}
