package org.streamon.spark.metrics

import scala.collection.mutable

/** A record of the constraints of MJoins. Each owner of queries sees what is of their own. */
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
