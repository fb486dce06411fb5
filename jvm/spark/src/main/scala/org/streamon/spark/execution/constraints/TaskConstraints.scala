package org.streamon.spark.execution.constraints

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.util.collection.OpenHashSet
import org.streamon.spark.errors.ConstraintViolation
import org.streamon.spark.execution.state.{ArrivingRow, DurableRows, JoinShape, Mirror, RowKeys, SpilledRows}
import org.streamon.core.constraints.{ConstraintExecutor, ConstraintMode, DeadRows, MonitoredConstraint}

/** Constraints in one task. It observes the rows, and decides at the end of the micro-batch which rows leave.
  * The decision depends only on the checkpoint and on the micro-batch as a set, so a replay decides the same.
  *
  * @param row
  *   the row at hand
  * @param going
  *   by input, microseconds: rows with a time up to it go at the end of this one
  */
final class TaskConstraints(
    shape: JoinShape,
    state: ConstraintState,
    mirror: Mirror,
    store: DurableRows,
    keys: RowKeys,
    row: ArrivingRow,
    going: Array[Long]
) {
  import state.{cold, dead, monitors, settings}

  private val n = shape.size
  private val dimensions = shape.dimensionsOf
  private val strict = settings.mode == ConstraintMode.Strict
  private val eviction = new Eviction(shape, state, mirror, store, keys, mirror.sequence)
  private val room = if (settings.mode.evicts) DeadRows.Room else DeadRows.ObservedRoom
  private val executor =
    new ConstraintExecutor(shape.joinKeys, monitors, mirror, isAsked, eviction.dies, room)

  /** Whether rows that come are written here, in the end: most may be dead by then. */
  val writes: Boolean = settings.mode.evicts && executor.canTell

  private def ways = shape.joinKeys.ways

  /** By input, by dimension: the numbers of keys of which it has been asked what they break. */
  private val asked = Array.fill(n, shape.dimensions)(new OpenHashSet[Long](4))

  /** Constraints that rows have broken. */
  private val broken = mutable.LinkedHashSet.empty[MonitoredConstraint]

  /** Results that a dead row is in. */
  private val met = new Array[Long](n)
  private var hasArrived = false

  /** By input: rows that have left memory, and results that a row has found with dead ones. */
  def evicted: Array[Long] = eviction.evicted
  def violations: Array[Long] = met

  /** Whether what the checkpoint has of constraints is not what it was. */
  def changed: Boolean = settings.mode.evicts && (hasArrived || monitors.hasChanged) || eviction.changed

  /** Rows taken out of the state. */
  def removed: Long = eviction.removed

  /** By input, where its cold rows are read; null when it has none. */
  val coldRows: Array[ColdRows] = Array.tabulate(n) { i =>
    if (cold.rows(i) > 0) new ColdRows(i, new SpilledRows(store.rowsOf(i, _, _, state.gone(i))), cold)
    else null
  }

  /** The row at hand goes into its pipeline. */
  def rowArrived(): Unit = {
    val (input, own) = (row.input, dimensions(row.input))
    hasArrived = true
    var k = 0
    while (k < own.length) {
      val d = own(k)
      if (!keys.constant(d)) {
        val (group, code) = (row.groups(d), row.codes(d))
        executor.rowArrived(input, d, code)
        if (
          group != null && group.heads(input) >= 0 || monitors.mayBeUnique(d, input) && isCold(input, d, code)
        )
          repeats(input, d)
        if (strict) {
          val broken = monitors.broken(d, input, code)
          if (broken != null) throw violation(Seq(broken))
        }
      }
      k += 1
    }
  }

  private def repeats(input: Int, d: Int): Unit = {
    if (strict) monitors.declaredUnique(d, input).foreach(u => throw violation(Seq(u)))
    monitors.repeats(d, input)
  }

  private def isCold(input: Int, d: Int, code: Long): Boolean =
    cold.mayHave(input, d, code) && store.hasKeyed(input, d, row.keys(d), state.gone(input))

  /** The row at hand is in a slot of its synopsis. */
  def kept(slot: Int): Unit = if (slot >= 0) executor.rowKept(row.input, slot)

  /** A result of the row at hand. */
  def found(joined: Array[Long]): Unit = {
    var j = 0
    while (j < n && (j == row.input || !isDead(j, joined(j)))) j += 1
    if (j < n) violates(joined)
  }

  private def violates(joined: Array[Long]): Unit = {
    met(row.input) += 1
    if (strict) throw violation(joined)
    if (settings.samples) state.retained.found(row.input, retainedOf(joined), mirror)
    var j = 0
    while (j < n) {
      if (j != row.input && isCold(j, joined(j)))
        eviction.met(j, coldRows(j).nameOf(joined(j)), coldRows(j).place)
      j += 1
    }
    // The row at hand, or else one that came before it and made no result yet.
    if (!blames(row.input, joined)) {
      j = 0
      while (j < n) {
        if (mayBlame(j, joined)) blames(j, joined)
        j += 1
      }
    }
  }

  private def retainedOf(joined: Array[Long]) =
    (0 until n).filter(j => isGone(j, joined) && !isCold(j, joined(j))).map(j => (j, joined(j).toInt))

  /** Whether a row of a result, not the one at hand, is one that constraints call dead. */
  private def isGone(j: Int, joined: Array[Long]) = j != row.input && isDead(j, joined(j))

  /** Whether it is another, which may have broken what calls the dead ones so. */
  private def mayBlame(j: Int, joined: Array[Long]) =
    j != row.input && !mirror.spilled(j) && !isDead(j, joined(j))

  /** Finds what the row of an input has broken, by keys that have not been asked about; whether it has. */
  private def blames(input: Int, joined: Array[Long]): Boolean = {
    var any = false
    var j = 0
    while (j < n) {
      if (isGone(j, joined)) {
        val d = ways(input)(j)
        val code = codeOf(input, d, joined)
        if (!asked(input)(d).contains(code)) {
          asked(input)(d).add(code)
          val by = monitors.blamed(d, input, code)
          broken ++= by
          any ||= by.nonEmpty
        }
      }
      j += 1
    }
    any
  }

  private def codeOf(input: Int, dimension: Int, joined: Array[Long]) =
    if (input == row.input) row.codes(dimension)
    else mirror.synopsis(input).group(dimension, joined(input).toInt).code

  /** A row has expired, which may have been marked as dead in the state store. */
  def left(input: Int, slot: Int): Unit = if (state.leftMarked) {
    val synopsis = mirror.synopsis(input)
    store.unmark(input, synopsis.time(slot), synopsis.sequence(slot))
  }

  private def isDead(j: Int, handle: Long) = isCold(j, handle) || dead(j)(handle.toInt)

  /** Caches give references, which are as large as handles of cold rows; beside cold rows there are none. */
  private def isCold(j: Int, handle: Long) = coldRows(j) != null && ColdRows.isCold(handle)

  /** Settles what the micro-batch has brought, when there are no more results and what watermarks let go of
    * has gone.
    */
  def settle(): Unit = {
    eviction.letGo(going)
    eviction.bringBack(executor.rowKept)
    executor.measure(broken)
    if (state.haveComeBack) for (i <- 0 until n) mirror.synopsis(i).foreach(executor.rowKept(i, _))
    state.haveComeBack = false
    executor.collect()
    if (writes) executor.foreachKept(eviction.write)
    eviction.dropRetained()
    monitors.release(mirror)
    for (i <- 0 until n) if (!mirror.spilled(i) && cold.isDue(i, state.gone(i))) eviction.sweep(i)
  }

  /** An input is about to leave the mirror, whose rows all have to be in the store then. */
  def spills(input: Int): Unit = {
    if (writes) executor.foreachKept((i, slot) => if (i == input) eviction.write(i, slot))
    eviction.forgetsMet(input)
    coldRows(input) = null
  }

  private def isAsked(input: Int, slot: Int): Boolean =
    !dead(input)(slot) && (settings.mode.evicts || monitors.isWatched(
      state.retained.code(input, slot, mirror)
    ))

  /** Of the row at hand, whose constraints these are. */
  private def violation(of: Seq[MonitoredConstraint]) = violatedBy(row.input, row.row, of)

  /** Of the first row of a result that breaks a constraint: of the one at hand, if it is not known which. */
  private def violation(joined: Array[Long]): ConstraintViolation = {
    val inputs = row.input +: (0 until n).filter(mayBlame(_, joined))
    val input = inputs.find(blames(_, joined)).getOrElse(row.input)
    val culprit = if (input == row.input) row.row else new UnsafeRow(shape.inputs(input).size)
    if (input != row.input) mirror.synopsis(input).pointTo(joined(input).toInt, culprit)
    violatedBy(input, culprit, broken.toSeq)
  }

  private def violatedBy(input: Int, culprit: UnsafeRow, of: Seq[MonitoredConstraint]) = ConstraintViolation(
    shape.inputs(input),
    shape.nameOf(input).getOrElse(s"input $input"),
    culprit,
    of.map(ConstraintText(_, shape))
  )
}
