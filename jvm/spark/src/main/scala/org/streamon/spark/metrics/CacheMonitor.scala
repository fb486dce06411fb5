package org.streamon.spark.metrics

import scala.collection.mutable

import org.streamon.core.caching.CacheReport

/** The report of one task about the caches of its partition of an MJoin.
  *
  * @param caches
  *   the caches in use, with their counts since they came into use
  * @param decisions
  *   the changes of the caches in use
  */
final case class CacheUse(
    query: String,
    operator: String,
    partition: Int,
    caches: Seq[CacheReport],
    decisions: Seq[DecisionReport]
)

/** The driver's record of the caches in use, for `streamon_caches()`. Users see only the caches of their own
  * queries.
  */
object CacheMonitor {
  private val PartitionsKept = 10000
  private final case class Key(owner: Option[String], query: String, operator: String, partition: Int)

  private val uses = mutable.LinkedHashMap.empty[Key, CacheUse]

  def record(use: CacheUse, owner: Option[String]): Unit = {
    synchronized {
      val key = Key(owner, use.query, use.operator, use.partition)
      uses.remove(key)
      if (use.caches.nonEmpty) uses.put(key, use.copy(decisions = Nil))
      while (uses.size > PartitionsKept) uses.remove(uses.head._1)
    }
    FilterMonitor.record(use.decisions, owner)
  }

  /** The latest of each partition of an owner's queries. */
  def latest(owner: Option[String]): Seq[CacheUse] =
    synchronized(uses.collect { case (key, use) if key.owner == owner => use }.toList)
}
