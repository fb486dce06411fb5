package org.streamon.spark.metrics

import scala.collection.mutable

import org.streamon.core.caching.CacheReport

/** What one task tells the driver of the caches of its partition of an MJoin.
  *
  * @param caches
  *   those in use, with what they have done since they came into use
  * @param decisions
  *   changes of what is used
  */
final case class CacheUse(
    query: String,
    operator: String,
    partition: Int,
    caches: Seq[CacheReport],
    decisions: Seq[DecisionReport]
)

/** The driver's record of the caches in use: what `streamon_caches()` reads. */
object CacheMonitor {
  private val PartitionsKept = 10000
  private val uses = mutable.LinkedHashMap.empty[(String, String, Int), CacheUse]

  def record(use: CacheUse): Unit = {
    synchronized {
      val key = (use.query, use.operator, use.partition)
      uses.remove(key)
      if (use.caches.nonEmpty) uses.put(key, use.copy(decisions = Nil))
      while (uses.size > PartitionsKept) uses.remove(uses.head._1)
    }
    FilterMonitor.record(use.decisions)
  }

  /** The latest of each partition. */
  def latest: Seq[CacheUse] = synchronized(uses.values.toList)
}
