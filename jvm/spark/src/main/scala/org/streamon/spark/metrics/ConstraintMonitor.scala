package org.streamon.spark.metrics

import scala.collection.mutable

/** The driver's record of constraints: what `streamon_constraints()`, `streamon_evictions()` and
  * `streamon_constraint_history()` read.
  */
object ConstraintMonitor {

  /** Of all MJoins together; the one that has told last is kept in any case. */
  private val BytesKept = 32L << 20

  private val records = mutable.LinkedHashMap.empty[(String, String), ConstraintRecord]

  /** Takes in what a task has counted. Under another mode, or with other constraints, an MJoin begins anew.
    */
  def record(counts: ConstraintCounts, texts: ConstraintTexts): Unit = synchronized {
    val key = (counts.query, texts.operator)
    val known = records.remove(key).filter(_.texts == texts)
    val record = known.getOrElse(new ConstraintRecord(counts.query, texts))
    record.add(counts)
    records.put(key, record)
    while (records.size > 1 && bytes > BytesKept) records.remove(records.head._1)
  }

  /** The latest of each partition; what has happened in it since the start. */
  def latest: Seq[ConstraintUse] = synchronized(records.values.flatMap(_.uses).toList)

  /** Of all partitions together, oldest first. */
  def history: Seq[ConstraintPoint] =
    synchronized(records.values.flatMap(_.history).toList).sortBy(_.timeMicros)

  private def bytes = records.values.map(_.bytes).sum
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

/** One constraint at the end of one micro-batch.
  *
  * @param k
  *   the greatest of the partitions that know; none when none does
  */
final case class ConstraintPoint(
    timeMicros: Long,
    query: String,
    operator: String,
    constraint: String,
    k: Option[Long],
    rows: Long,
    deadRows: Long
)
