package org.streamon.spark.metrics

import scala.collection.immutable.ArraySeq
import scala.collection.mutable

/** The driver's record of the constraints of one MJoin: the latest of each partition, and a point for each
  * micro-batch, which holds all partitions together. Bounded.
  */
private[metrics] final class ConstraintRecord(query: String, val texts: ConstraintTexts) {
  import ConstraintRecord._

  private val partitions = mutable.LinkedHashMap.empty[Int, Partition]
  private val points = mutable.Queue.empty[Point]

  /** The micro-batch that is told of now. */
  private var batch = -1L

  /** A micro-batch that is told of again, for it had to be done again, counts once. */
  def add(counts: ConstraintCounts): Unit = {
    if (counts.batch != batch) goOn(counts.batch)
    val known = partitions.remove(counts.partition)
    val before = known.flatMap(p => if (p.latest.batch == counts.batch) p.before else Some(p.inputs))
    val status = counts.status.orElse(known.flatMap(_.status))
    partitions.put(counts.partition, Partition(before, counts, status))
    if (partitions.size > PartitionsKept) partitions.remove(partitions.head._1)
  }

  def uses: Seq[ConstraintUse] = partitions.values.map { p =>
    ConstraintUse(query, texts, p.latest.timeMicros, p.status, p.inputs, p.latest.constraintBytes)
  }.toList

  /** Oldest first. */
  def history: Seq[ConstraintPoint] = for {
    point <- points.toList ++ now
    c <- texts.constraints.indices
  } yield ConstraintPoint(
    point.timeMicros,
    query,
    texts.operator,
    texts.constraints(c).text,
    Some(point.known(c)).filter(_ >= 0),
    point.rows,
    point.deadRows
  )

  /** What it takes, about. */
  def bytes: Long = {
    val constraints = texts.constraints.size
    partitions.size * (400L + 300L * texts.inputs.size + 18L * constraints) + points.size * (80L + 8L * constraints)
  }

  private def goOn(to: Long): Unit = {
    points ++= now
    // Those that are done again have a point when they are done.
    while (points.lastOption.exists(_.batch >= to)) points.dropRightInPlace(1)
    while (points.size * texts.constraints.size > PointsKept) points.dequeue()
    batch = to
  }

  /** The point of the micro-batch that is told of, as far as it is; none when nothing is. */
  private def now: Option[Point] = {
    val told = partitions.values.filter(_.latest.batch == batch)
    Option.when(told.nonEmpty) {
      val statuses = told.flatMap(_.status)
      Point(
        batch,
        told.map(_.latest.timeMicros).min,
        ArraySeq.tabulate(texts.constraints.size)(c => statuses.map(_.known(c)).maxOption.getOrElse(-1L)),
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
      before: Option[IndexedSeq[EvictionCounts]],
      latest: ConstraintCounts,
      status: Option[ConstraintStatus]
  ) {
    val inputs: IndexedSeq[EvictionCounts] =
      before.fold(latest.inputs)(b => latest.inputs.zip(b).map { case (now, then) => now.since(then) })
  }

  /** @param known
    *   by constraint, the greatest k of the partitions that know; -1 where none does
    */
  private final case class Point(
      batch: Long,
      timeMicros: Long,
      known: ArraySeq[Long],
      rows: Long,
      deadRows: Long
  )
}
