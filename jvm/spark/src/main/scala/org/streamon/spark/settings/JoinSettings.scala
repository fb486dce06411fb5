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
)

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
