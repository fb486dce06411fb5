package org.streamon.spark.metrics

import scala.collection.mutable

/** A record of the constraints of MJoins. */
class ConstraintMonitor {
  private val records = mutable.LinkedHashMap.empty[(String, String), ConstraintRecord]

  /** Takes in what a task has counted. With other constraints an MJoin begins anew. */
  def record(counts: ConstraintCounts, texts: ConstraintTexts): Unit = synchronized {
    val key = (counts.query, texts.operator)
    val known = records.remove(key).filter(_.isOf(texts))
    val record = known.getOrElse(new ConstraintRecord(counts.query))
    record.add(counts, texts)
    records.put(key, record)
    while (records.size > 1 && bytes > ConstraintMonitor.BytesKept) records.remove(records.head._1)
  }

  /** The latest of each partition; what has happened in it since the start. */
  def latest: Seq[ConstraintUse] = synchronized(records.values.flatMap(_.uses).toList)

  /** Of all partitions together, oldest first. */
  def history: Seq[ConstraintPoint] =
    synchronized(records.values.map(_.history).toList).flatMap(_.points).sortBy(_.timeMicros)

  private def bytes = records.values.map(_.bytes).sum
}

/** That of the driver: what `streamon_constraints()`, `streamon_evictions()` and
  * `streamon_constraint_history()` read.
  */
object ConstraintMonitor extends ConstraintMonitor {

  /** Of all MJoins together; the one that has told last is kept in any case. */
  private val BytesKept = 32L << 20
}

/** What the driver knows of the constraints of one partition of an MJoin.
  *
  * @param timeMicros
  *   when it told last, in microseconds since the epoch
  * @param status
  *   none where it has not been told yet
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
