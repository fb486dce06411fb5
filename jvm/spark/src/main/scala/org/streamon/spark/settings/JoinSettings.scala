package org.streamon.spark.settings

import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streamon.StreamonConf

/** How an MJoin adapts, and within which bounds: the confs of the session. Documented in [[StreamonConf]]. */
case class JoinSettings(
    algorithm: String,
    profilingProbability: Double,
    window: Option[Int],
    thrashAvoidance: Double,
    executorMemory: Option[Long],
    forcedOrder: Option[Seq[Int]],
    caching: CacheSettings,
    constraints: ConstraintSettings
) {

  /** The order in which a join of so many inputs probes them, if it is forced. */
  def forced(inputs: Int): Option[Seq[Int]] = forcedOrder.filter(_.sorted == (0 until inputs))

  /** Whether such a join can learn, and so be taught. */
  def learns(inputs: Int): Boolean =
    algorithm != "static" && profilingProbability > 0 && forced(inputs).isEmpty
}

object JoinSettings {
  def apply(conf: SQLConf): JoinSettings = JoinSettings(
    conf.getConf(StreamonConf.JoinAlgorithm),
    conf.getConf(StreamonConf.JoinProfilingProbability),
    conf.getConf(StreamonConf.JoinWindow),
    conf.getConf(StreamonConf.JoinThrashAvoidance),
    conf.getConf(StreamonConf.ExecutorMemory),
    conf.getConf(StreamonConf.JoinForcedOrder).map(_.split(',').map(_.toInt).toSeq),
    CacheSettings(conf),
    ConstraintSettings(conf)
  )
}
