package org.streamon.spark.settings

import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streamon.StreamonConf
import org.streamon.spark.routes.RouteOptions

/** The settings of an MJoin: those of the session, overridden by the options of its hint. [[StreamonConf]]
  * documents them.
  */
case class JoinSettings(
    algorithm: String,
    profilingProbability: Double,
    window: Option[Int],
    thrashAvoidance: Double,
    executorMemory: Option[Long],
    forcedOrder: Option[Seq[Int]],
    routes: RouteOptions,
    caching: CacheSettings,
    constraints: ConstraintSettings
) {

  /** Whether arriving rows of several kinds have an order each, where the join allows it. */
  def isRouted: Boolean = RouteOptions.areUsed(algorithm)

  /** The algorithm of each order. */
  def orderingAlgorithm: String = RouteOptions.ordering(algorithm)

  /** The forced probing order of a join with this number of inputs, if any. */
  def forced(inputs: Int): Option[Seq[Int]] = forcedOrder.filter(_.sorted == (0 until inputs))

  /** Whether such a join can learn. Only then may it start with an order that was learned elsewhere. */
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
    RouteOptions(
      conf.getConf(StreamonConf.JoinRoutes),
      conf.getConf(StreamonConf.JoinRouteSearch),
      conf.getConf(StreamonConf.JoinRouteStart),
      conf.getConf(StreamonConf.JoinForcedRoutes)
    ),
    CacheSettings(conf),
    ConstraintSettings(conf)
  )
}
