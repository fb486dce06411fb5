package org.streamon.spark.metrics

import scala.collection.immutable.ArraySeq

import org.streamon.core.constraints.MissedSample

/** The report of one task about the constraints of its partition of an MJoin. It has only numbers;
  * [[ConstraintTexts]] has the texts.
  *
  * @param timeMicros
  *   microseconds since the epoch
  * @param status
  *   none if it has not changed since the last report of the partition
  * @param inputs
  *   by input
  * @param constraintBytes
  *   the memory of the constraints
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

/** The state of the constraints in one partition. Arrays are by constraint.
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

/** The effect of constraints on one input in one partition.
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
