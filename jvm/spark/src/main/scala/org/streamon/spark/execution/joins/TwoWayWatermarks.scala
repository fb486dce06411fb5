package org.streamon.spark.execution.joins

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.streamon.core.joins.{Bits, JoinTree}

/** The watermarks of the joins of two that Spark would have. A join has the least of those below. Where a key
  * of it has an event time, it leaves what it has; else what the ranges between its sides make of it, on any
  * columns of a side that has an event time at all (`StreamingSymmetricHashJoinHelper`).
  *
  * @param inputs
  *   the columns of each
  * @param eventTimes
  *   by input
  * @param keys
  *   by dimension, by input, part by part
  */
private[joins] final class TwoWayWatermarks(
    inputs: Seq[Seq[Attribute]],
    eventTimes: Seq[Option[Attribute]],
    keys: Seq[Seq[Seq[Expression]]],
    conditions: Seq[Expression]
) {

  /** By input, by another: how far its columns must be ahead of an event time of the other's. */
  private val ranges = Vector.tabulate(inputs.size, inputs.size)((i, j) =>
    if (i == j) None else eventTimes(j).flatMap(TimeRange.lead(inputs(i), _, conditions))
  )

  /** How far behind the query's watermark that of the join which reads an input is, milliseconds, at most 0.
    */
  def late(tree: JoinTree, input: Int): Long = before(tree.readerOf(input))

  /** The same of the results. */
  def delay(tree: JoinTree): Long = tree match {
    case JoinTree.Leaf(_)    => 0L
    case join: JoinTree.Node =>
      val (left, right) = (Bits.members(join.left.inputs), Bits.members(join.right.inputs))
      val own = if (hasTimeInKey(left, right)) Nil else leads(left, right) ++ leads(right, left)
      before(join) + own.foldLeft(0L)(_ min _)
  }

  private def before(join: JoinTree.Node): Long = delay(join.left) min delay(join.right)

  private def hasTimeInKey(left: Seq[Int], right: Seq[Int]): Boolean = keys.exists { key =>
    val (l, r) = (left.map(key).filter(_.nonEmpty), right.map(key).filter(_.nonEmpty))
    l.nonEmpty && r.nonEmpty && (l ++ r).flatten.exists(StateBounds.isEventTime)
  }

  private def leads(side: Seq[Int], other: Seq[Int]): Seq[Long] =
    if (side.forall(eventTimes(_).isEmpty)) Nil
    else side.flatMap(i => other.flatMap(ranges(i)(_)))
}
