package org.streamon.spark.settings

import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streamon.StreamonConf
import org.streamon.core.caching
import org.streamon.core.caching.CacheMode
import org.streamon.core.joins.Bits

/** The settings for the caches of an MJoin: those of the session, overridden by the options of its hint.
  * [[StreamonConf]] documents them.
  *
  * @param interval
  *   the rows of a partition between two measurements
  * @param window
  *   the number of observations in an average
  * @param memoryBytes
  *   the limit for caches in the executor, in bytes. None: a part of the executor's budget
  * @param forced
  *   sets of inputs that are cached in any case, by number
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
