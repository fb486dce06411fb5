package org.streamon.spark.metrics

import scala.collection.mutable

import org.streamon.core.constraints.MissedSample

/** What one task tells the driver of the constraints of its partition of an MJoin.
  *
  * @param timeMicros
  *   microseconds since the epoch
  * @param inputs
  *   by input
  */
final case class ConstraintUse(
    timeMicros: Long,
    query: String,
    operator: String,
    batch: Long,
    mode: String,
    retention: Double,
    partition: Int,
    constraints: IndexedSeq[ConstraintReport],
    inputs: IndexedSeq[EvictionReport],
    constraintBytes: Long
)

/** What one partition knows of a constraint.
  *
  * @param k
  *   none when it is not known
  * @param hint
  *   that declares it; none when it could not be declared
  */
final case class ConstraintReport(
    text: String,
    kind: String,
    parent: Option[Int],
    child: Int,
    declared: Boolean,
    used: Boolean,
    k: Option[Long],
    violations: Long,
    hint: Option[String]
)

/** What constraints do to one input in one partition.
  *
  * @param deadRows
  *   that are in memory though constraints call them dead; where only a sample is known, estimated from it
  * @param evictedRows
  *   that have left memory; in this micro-batch, or since the start
  * @param violations
  *   results with dead rows that a row of the input has found; likewise
  * @param missed
  *   what these say of results that are missing; likewise
  */
final case class EvictionReport(
    rows: Long,
    bytes: Long,
    deadRows: Long,
    deadBytes: Long,
    evictedRows: Long,
    coldRows: Long,
    violations: Long,
    missed: MissedSample
)

/** The driver's record of constraints: what `streamon_constraints()`, `streamon_evictions()` and
  * `streamon_constraint_history()` read.
  */
object ConstraintMonitor {
  private val PartitionsKept = 10000
  private val PointsKept = 10000
  private val uses = mutable.LinkedHashMap.empty[(String, String, Int), ConstraintUse]
  private val points = mutable.LinkedHashMap.empty[(String, String, Long, String), ConstraintPoint]

  def record(use: ConstraintUse): Unit = synchronized {
    val key = (use.query, use.operator, use.partition)
    val before = uses.remove(key)
    uses.put(key, use.copy(inputs = use.inputs.indices.map(i => since(before, i, use.inputs(i)))))
    while (uses.size > PartitionsKept) uses.remove(uses.head._1)
    val rows = use.inputs.map(_.rows).sum
    val dead = use.inputs.map(i => i.deadRows).sum
    use.constraints.foreach { c =>
      val at = (use.query, use.operator, use.batch, c.text)
      val sofar = points.get(at)
      points.put(
        at,
        ConstraintPoint(
          use.timeMicros,
          use.query,
          use.operator,
          c.text,
          (sofar.flatMap(_.k) ++ c.k).maxOption,
          sofar.fold(0L)(_.rows) + rows,
          sofar.fold(0L)(_.deadRows) + dead
        )
      )
    }
    while (points.size > PointsKept) points.remove(points.head._1)
  }

  private def since(before: Option[ConstraintUse], input: Int, now: EvictionReport): EvictionReport =
    before.flatMap(_.inputs.lift(input)).fold(now) { b =>
      now.copy(
        evictedRows = b.evictedRows + now.evictedRows,
        violations = b.violations + now.violations,
        missed = b.missed + now.missed
      )
    }

  /** The latest of each partition; what has happened in it since the start. */
  def latest: Seq[ConstraintUse] = synchronized(uses.values.toList)

  /** Of all partitions together, oldest first. */
  def history: Seq[ConstraintPoint] = synchronized(points.values.toList)
}

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
