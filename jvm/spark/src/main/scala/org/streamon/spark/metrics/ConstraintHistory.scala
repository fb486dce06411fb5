package org.streamon.spark.metrics

import scala.collection.immutable.ArraySeq

/** The constraints of one MJoin at the ends of its micro-batches, oldest first. */
private[metrics] final case class ConstraintHistory(
    query: String,
    texts: ConstraintTexts,
    batches: Seq[BatchPoint]
) {
  def points: Seq[ConstraintPoint] = for {
    batch <- batches
    (constraint, at) <- texts.constraints.zipWithIndex
  } yield ConstraintPoint(
    batch.timeMicros,
    query,
    texts.operator,
    constraint.text,
    Some(batch.known(at)).filter(_ >= 0),
    batch.rows,
    batch.deadRows
  )
}

/** All constraints of an MJoin at the end of one micro-batch.
  *
  * @param known
  *   by constraint, the greatest k of the partitions that know; -1 where none does
  */
private[metrics] final case class BatchPoint(
    batch: Long,
    timeMicros: Long,
    known: ArraySeq[Long],
    rows: Long,
    deadRows: Long
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
