package org.streamon.spark.metrics

import scala.collection.immutable.ArraySeq

import org.streamon.core.constraints.MissedSample

/** What one task tells of the constraints of its partition of an MJoin: numbers, to which [[ConstraintTexts]]
  * has the texts.
  *
  * @param timeMicros
  *   microseconds since the epoch
  * @param status
  *   none where it is what it was when the partition told it last
  * @param inputs
  *   by input
  * @param constraintBytes
  *   what is known of constraints takes so much memory
  */
final case class ConstraintCounts(
    timeMicros: Long,
    query: String,
    batch: Long,
    partition: Int,
    status: Option[ConstraintStatus],
    inputs: IndexedSeq[EvictionCounts],
    constraintBytes: Long
)

/** What one partition knows of the constraints. By constraint.
  *
  * @param known
  *   k; -1 where it is not known
  * @param violations
  *   rows that did not keep it
  * @param used
  *   whether rows leave memory by it
  * @param kept
  *   whether rows keep it closely enough for it to be declared
  */
final case class ConstraintStatus(
    known: ArraySeq[Long],
    violations: ArraySeq[Long],
    used: ArraySeq[Boolean],
    kept: ArraySeq[Boolean]
) {
  def k(constraint: Int): Option[Long] = Some(known(constraint)).filter(_ >= 0)
}

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
final case class EvictionCounts(
    rows: Long,
    bytes: Long,
    deadRows: Long,
    deadBytes: Long,
    evictedRows: Long,
    coldRows: Long,
    violations: Long,
    missed: MissedSample
) {

  /** With what had happened before. */
  def since(before: EvictionCounts): EvictionCounts = copy(
    evictedRows = before.evictedRows + evictedRows,
    violations = before.violations + violations,
    missed = before.missed + missed
  )
}
