package org.streamon.spark.metrics

import scala.collection.immutable.ArraySeq
import scala.collection.mutable

/** The driver's record of the constraints of one MJoin: the latest report of each partition, and one point
  * for each micro-batch over all partitions. Its size is bounded.
  */
private[metrics] final class ConstraintRecord(query: String) {
  import ConstraintRecord._

  private val partitions = mutable.LinkedHashMap.empty[Int, Partition]
  private val points = mutable.Queue.empty[BatchPoint]
  private var texts: ConstraintTexts = _

  /** The micro-batch that is told of now. */
  private var batch = -1L

  /** Whether the constraints are those of this record; the mode may be another. */
  def isOf(others: ConstraintTexts): Boolean = (others eq texts) ||
    others.inputs.size == texts.inputs.size && others.constraints.map(_.text) == texts.constraints.map(_.text)

  /** A micro-batch that is told of again, for it had to be done again, counts once. */
  def add(counts: ConstraintCounts, called: ConstraintTexts): Unit = {
    texts = called
    if (counts.batch != batch) goOn(counts.batch)
    val known = partitions.remove(counts.partition)
    val before = known.flatMap(p => if (p.latest.batch == counts.batch) p.before else Some(p.inputs))
    val status = counts.status.orElse(known.flatMap(_.status))
    partitions.put(counts.partition, Partition(called, before, counts, status))
    if (partitions.size > PartitionsKept) partitions.remove(partitions.head._1)
  }

  def uses: Seq[ConstraintUse] = partitions.values.map { p =>
    ConstraintUse(query, p.texts, p.latest.timeMicros, p.status, p.inputs, p.latest.constraintBytes)
  }.toList

  def history: ConstraintHistory = ConstraintHistory(query, texts, points.toList ++ now)

  /** What it takes, about. */
  def bytes: Long = {
    val constraints = texts.constraints.size
    1000L * constraints + points.size * (80L + 8L * constraints) +
      partitions.size * (400L + 300L * texts.inputs.size + 18L * constraints)
  }

  private def goOn(to: Long): Unit = {
    points ++= now
    // Those that are done again have a point when they are done.
    while (points.lastOption.exists(_.batch >= to)) points.dropRightInPlace(1)
    while (points.size * texts.constraints.size > PointsKept) points.dequeue()
    batch = to
  }

  /** The point of the micro-batch that is told of, as far as it is; none when nothing is, or there is nothing
    * to tell.
    */
  private def now: Option[BatchPoint] = {
    val told = partitions.values.filter(_.latest.batch == batch).toIndexedSeq
    Option.when(told.nonEmpty && texts.constraints.nonEmpty) {
      val known = Array.fill(texts.constraints.size)(-1L)
      for (p <- told; status <- p.status; c <- known.indices) known(c) = math.max(known(c), status.known(c))
      BatchPoint(
        batch,
        told.map(_.latest.timeMicros).min,
        ArraySeq.unsafeWrapArray(known),
        told.map(_.latest.inputs.map(_.rows).sum).sum,
        told.map(_.latest.inputs.map(_.deadRows).sum).sum
      )
    }
  }
}

private[metrics] object ConstraintRecord {
  private val PartitionsKept = 10000

  /** Of all constraints together. */
  private val PointsKept = 10000

  /** @param before
    *   what had happened before the latest micro-batch, by input; none when that is the first
    */
  private final case class Partition(
      texts: ConstraintTexts,
      before: Option[IndexedSeq[EvictionCounts]],
      latest: ConstraintCounts,
      status: Option[ConstraintStatus]
  ) {
    val inputs: IndexedSeq[EvictionCounts] =
      before.fold(latest.inputs)(b => latest.inputs.zip(b).map { case (now, then) => now.since(then) })
  }
}
