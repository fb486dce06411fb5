package org.streamon.spark.metrics

import scala.collection.mutable

import org.streamon.core.constraints.MissedSample

/** What one task tells the driver of the constraints of its partition of an MJoin.
  *
  * @param timeMicros
  *   microseconds since the epoch
  * @param inputs
  *   by input
  * @param sharesKeys
  *   whether rows with one key are in several partitions
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
    constraintBytes: Long,
    sharesKeys: Boolean
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
  * @param name
  *   by what the query calls the input, if it can be told
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
    name: Option[String],
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
  private val totals = mutable.LinkedHashMap.empty[(String, String, Int), Total]
  private val points = mutable.LinkedHashMap.empty[(String, String, Long, String), Point]

  /** A micro-batch that is told of again, for it had to be done again, counts once. */
  def record(use: ConstraintUse): Unit = synchronized {
    val key = (use.query, use.operator, use.partition)
    val before = totals.remove(key).map(t => if (t.latest.batch == use.batch) t.before else t.inputs)
    totals.put(key, Total(before.getOrElse(Vector.empty), use))
    while (totals.size > PartitionsKept) totals.remove(totals.head._1)
    val part = PartOfPoint(use.inputs.map(_.rows).sum, use.inputs.map(_.deadRows).sum, _)
    for (c <- use.constraints) {
      val at = (use.query, use.operator, use.batch, c.text)
      val sofar = points.getOrElse(at, Point(use.timeMicros, Map.empty))
      points.put(at, sofar.copy(parts = sofar.parts + (use.partition -> part(c.k))))
    }
    while (points.size > PointsKept) points.remove(points.head._1)
  }

  /** The latest of each partition; what has happened in it since the start. */
  def latest: Seq[ConstraintUse] = synchronized(
    totals.values.map(t => t.latest.copy(inputs = t.inputs)).toList
  )

  /** Of all partitions together, oldest first. */
  def history: Seq[ConstraintPoint] = synchronized {
    points.map { case ((query, operator, _, constraint), point) =>
      val parts = point.parts.values
      val k = parts.flatMap(_.k).maxOption
      ConstraintPoint(
        point.timeMicros,
        query,
        operator,
        constraint,
        k,
        parts.map(_.rows).sum,
        parts.map(_.deadRows).sum
      )
    }.toList
  }

  /** @param before
    *   what had happened before the latest micro-batch, by input
    */
  private final case class Total(before: IndexedSeq[EvictionReport], latest: ConstraintUse) {
    def inputs: IndexedSeq[EvictionReport] = latest.inputs.indices.map { i =>
      val now = latest.inputs(i)
      before.lift(i).fold(now) { b =>
        now.copy(
          evictedRows = b.evictedRows + now.evictedRows,
          violations = b.violations + now.violations,
          missed = b.missed + now.missed
        )
      }
    }
  }

  private final case class Point(timeMicros: Long, parts: Map[Int, PartOfPoint])
  private final case class PartOfPoint(rows: Long, deadRows: Long, k: Option[Long])
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
