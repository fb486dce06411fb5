package org.streamon.spark.execution.constraints

import scala.collection.mutable

import org.streamon.core.constraints._
import org.streamon.spark.execution.state.{JoinShape, KeyGroup, Mirror}
import org.streamon.spark.settings.ConstraintSettings

/** The sample of dead rows that stays for a while, chosen by a hash of their keys. The results with these
  * rows give an estimate of the number of missing results.
  *
  * @param dead
  *   by input, all dead rows in memory
  */
final class RetainedRows(
    shape: JoinShape,
    declared: Seq[JoinConstraint],
    settings: ConstraintSettings,
    dead: Array[DeadMarks]
) {
  private val n = shape.size

  /** By input, by slot, when rows have died, and in that order; there also some that have left. */
  private val since = Array.fill(n)(mutable.LongMap.empty[Long])
  private val rows = Array.fill(n)(new LongHeap)
  private val missed = Array.fill(if (settings.samples) n else 0)(new MissedResults(settings.retention))

  /** By input, a dimension in which its rows have different keys: one that many inputs have, so that rows of
    * a result go by one key.
    */
  private val first = shape.dimensionsOf.map { own =>
    val telling = own.filterNot(shape.isConstant(_))
    (if (telling.isEmpty) own else telling).maxBy(d => (0 until n).count(shape.holds(_, d)))
  }

  /** Rows of the partition that come while a row is retained: as long as anything is watched, whichever input
    * that is counted in.
    */
  private val span = {
    val most = declared.collect { case a: JoinConstraint.Adheres => a.k }.maxOption.getOrElse(0L)
    n * (2 * math.max(settings.threshold, math.min(most, 1L << 50)) + 2L * settings.window)
  }

  /** The number of the key by which a row is in a sample or not. */
  def code(input: Int, slot: Int, mirror: Mirror): Long =
    mirror.synopsis(input).group(first(input), slot).code

  /** Whether a row that dies is to stay.
    *
    * @param groups
    *   by dimension, those of its keys
    */
  def samples(input: Int, groups: Int => KeyGroup): Boolean =
    settings.samples && MonitorSettings.sampled(groups(first(input)).code, settings.retention)

  /** A row has died and stays.
    *
    * @param died
    *   the sequence number of the partition then
    */
  def add(input: Int, slot: Int, died: Long, mirror: Mirror): Unit = {
    dead(input).add(slot, mirror.synopsis(input).bytesOf(slot))
    since(input).update(slot.toLong, died)
    rows(input).push(died, slot)
  }

  /** A row leaves. */
  def left(input: Int, slot: Int): Unit = since(input).remove(slot.toLong)

  /** Gives the rows that have been retained for long enough. */
  def outlived(mirror: Mirror)(each: (Int, Int) => Unit): Unit = for (i <- 0 until n) {
    def isThere(died: Long, slot: Int) = since(i).get(slot.toLong).contains(died)
    while (rows(i).least < mirror.sequence - span) {
      val died = rows(i).least
      val slot = rows(i).pop()
      if (isThere(died, slot)) each(i, slot)
    }
    rows(i).compact(isThere)
  }

  /** A row of an input has a result with retained rows of others: input and slot. */
  def found(input: Int, retained: Seq[(Int, Int)], mirror: Mirror): Unit =
    if (settings.samples) missed(input).found(retained.map { case (i, slot) =>
      code(i, slot, mirror)
    }.distinct)

  /** What the results that rows of an input have found say of those that are missing, since the latest call.
    */
  def takeMissed(input: Int): MissedSample =
    if (settings.samples) missed(input).take() else MissedSample.None

  /** Nothing of an input is in memory any longer. */
  def forget(input: Int): Unit = {
    since(input).clear()
    rows(input).clear()
  }

  def bytes: Long = rows.map(_.memoryBytes).sum + since.map(_.size * 64L).sum + missed.map(_.bytes).sum
}
