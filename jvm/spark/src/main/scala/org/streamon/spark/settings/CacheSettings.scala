package org.streamon.spark.settings

import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streamon.StreamonConf
import org.streamon.core.caching
import org.streamon.core.caching.CacheMode
import org.streamon.core.joins.Bits

/** How an MJoin caches subresults: the confs of the session, and what a hint says instead. Documented in
  * [[StreamonConf]].
  *
  * @param interval
  *   rows between two times that statistics are gathered anew, for each partition
  * @param window
  *   observations that an estimate is the mean of
  * @param memoryBytes
  *   the most that caches may take of the executor's memory, where it is not for the budget to say
  * @param forced
  *   sets of inputs, by number
  */
case class CacheSettings(
    mode: CacheMode,
    interval: Int,
    window: Int,
    change: Double,
    memoryBytes: Option[Long],
    forced: Seq[Seq[Int]]
) {
  def forCore: caching.CacheSettings = caching.CacheSettings(
    mode = mode,
    interval = interval,
    window = window,
    change = change,
    costs = caching.UnitCosts.amongRows,
    forced = forced.map(Bits.of)
  )
}

object CacheSettings {
  def apply(conf: SQLConf): CacheSettings = CacheSettings(
    CacheMode(conf.getConf(StreamonConf.JoinCaching)).get,
    conf.getConf(StreamonConf.JoinCachingInterval),
    conf.getConf(StreamonConf.JoinCachingWindow),
    conf.getConf(StreamonConf.JoinCachingChange),
    conf.getConf(StreamonConf.JoinCachingMemory),
    conf
      .getConf(StreamonConf.JoinCachingForced)
      .toSeq
      .flatMap(_.split(',').map(_.split('+').map(_.toInt).toSeq))
  )
}
