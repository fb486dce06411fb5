package org.streamon.spark.metrics

import scala.collection.mutable

/** A record of the constraints of MJoins. Users see only the constraints of their own queries. */
class ConstraintMonitor {
  private val records = mutable.LinkedHashMap.empty[(Option[String], String, String), ConstraintRecord]

  /** Takes in what a task has counted. With other constraints an MJoin begins anew. */
  def record(counts: ConstraintCounts, texts: ConstraintTexts): Unit = synchronized {
    val key = (texts.owner, counts.query, texts.operator)
    val known = records.remove(key).filter(_.isOf(texts))
    val record = known.getOrElse(new ConstraintRecord(counts.query))
    record.add(counts, texts)
    records.put(key, record)
    while (records.size > 1 && bytes > ConstraintMonitor.BytesKept) records.remove(records.head._1)
  }

  /** The latest of each partition; what has happened in it since the start. */
  def latest(owner: Option[String]): Seq[ConstraintUse] = synchronized(of(owner).flatMap(_.uses))

  /** Of all partitions together, oldest first. */
  def history(owner: Option[String]): Seq[ConstraintPoint] =
    synchronized(of(owner).map(_.history)).flatMap(_.points).sortBy(_.timeMicros)

  private def of(owner: Option[String]) =
    records.collect { case ((whose, _, _), record) if whose == owner => record }.toList

  private def bytes = records.values.map(_.bytes).sum
}

/** The record of the driver, for `streamon_constraints()`, `streamon_evictions()` and
  * `streamon_constraint_history()`.
  */
object ConstraintMonitor extends ConstraintMonitor {

  /** Of all MJoins together; the one that has told last is kept in any case. */
  private val BytesKept = 32L << 20
}

/** The driver's record of the constraints of one partition of an MJoin.
  *
  * @param timeMicros
  *   the time of the last report, in microseconds since the epoch
  * @param status
  *   none if it has not been reported yet
  * @param inputs
  *   by input, since the start
  */
final case class ConstraintUse(
    query: String,
    texts: ConstraintTexts,
    timeMicros: Long,
    status: Option[ConstraintStatus],
    inputs: IndexedSeq[EvictionCounts],
    constraintBytes: Long
)
