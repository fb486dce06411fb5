package org.streamon.spark.execution.constraints

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.streamon.spark.errors.ConstraintViolation
import org.streamon.spark.execution.state.{ArrivingRow, DurableRows, JoinShape, Mirror, RowKeys, SpilledRows}
import org.streamon.core.constraints.{ConstraintExecutor, ConstraintMode, MonitoredConstraint}

/** Constraints in one task: what its rows say of them, and at the end of the micro-batch which rows go. All
  * that is decided is decided there, from what the checkpoint has and the micro-batch as a set: replayed, it
  * is decided again, but for rows that `DeadRows` has no steps left for, which ones hangs on their sequence.
  *
  * @param row
  *   the row at hand
  */
final class TaskConstraints(
    shape: JoinShape,
    state: ConstraintState,
    mirror: Mirror,
    store: DurableRows,
    keys: RowKeys,
    row: ArrivingRow
) {
  import state.{cold, dead, monitors, settings}

  private val n = shape.size
  private val dimensions = shape.dimensionsOf
  private val strict = settings.mode == ConstraintMode.Strict
  private val eviction = new Eviction(shape, state, mirror, store, keys, mirror.sequence)
  private val executor =
    new ConstraintExecutor(shape.joinKeys, monitors, mirror, isAsked, eviction.dies)

  /** Whether rows that come are written here, in the end: most may be dead by then. */
  val writes: Boolean = settings.mode.evicts && executor.canTell

  private def ways = shape.joinKeys.ways

  /** Of which keys it has been asked what they break: input, dimension and number. */
  private val asked = mutable.HashSet.empty[(Int, Int, Long)]

  /** Constraints that rows have broken. */
  private val broken = mutable.LinkedHashSet.empty[MonitoredConstraint]

  /** Results that a dead row is in. */
  private val met = new Array[Long](n)
  private var hasArrived = false

  /** By input: rows that have left memory, and results that a row has found with dead ones. */
  def evicted: Array[Long] = eviction.evicted
  def violations: Array[Long] = met

  /** Whether what the checkpoint has of constraints is not what it was. */
  def changed: Boolean = settings.mode.evicts && hasArrived || eviction.changed

  /** Rows taken out of the state. */
  def removed: Long = eviction.removed

  /** By input, where its cold rows are read; null when it has none. */
  val coldRows: Array[ColdRows] = Array.tabulate(n) { i =>
    if (cold.rows(i) > 0) new ColdRows(i, new SpilledRows(i, store), cold) else null
  }

  /** The row at hand goes into its pipeline. */
  def arrives(): Unit = {
    val (input, own) = (row.input, dimensions(row.input))
    hasArrived = true
    var k = 0
    while (k < own.length) {
      val d = own(k)
      if (!keys.constant(d)) {
        val (group, code) = (row.groups(d), row.codes(d))
        executor.arrives(input, d, code)
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
    cold.mayHave(input, d, code) && store.hasKeyed(input, d, row.keys(d))

  /** The row at hand is in a slot of its synopsis. */
  def kept(slot: Int): Unit = if (slot >= 0) executor.keeps(row.input, slot)

  /** A result of the row at hand. */
  def found(joined: Array[Long]): Unit = {
    var j = 0
    while (j < n && (j == row.input || !isDead(j, joined(j)))) j += 1
    if (j < n) violates(joined)
  }

  private def violates(joined: Array[Long]): Unit = {
    met(row.input) += 1
    val (gone, others) = (0 until n).filter(_ != row.input).partition(j => isDead(j, joined(j)))
    val (cold, retained) = gone.partition(j => isCold(j, joined(j)))
    if (settings.samples) state.retained.found(row.input, retained.map(j => (j, joined(j).toInt)), mirror)
    def blamed(i: Int) = for {
      d <- gone.map(ways(i)(_)).distinct
      code = codeOf(i, d, joined) if strict || asked.add((i, d, code))
      w <- monitors.blamed(d, i, code)
    } yield i -> w
    // The row at hand, or else one that came before it and made no result yet.
    val own = blamed(row.input)
    val by = if (own.nonEmpty) own else others.filterNot(mirror.spilled(_)).flatMap(blamed)
    if (strict) throw violation(joined, by)
    broken ++= by.map(_._2)
    for (j <- cold) eviction.met(j, coldRows(j).nameOf(joined(j)))
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
    eviction.bringBack(executor.keeps)
    executor.measure(broken)
    if (state.haveComeBack) for (i <- 0 until n) mirror.synopsis(i).foreach(executor.look(i, _))
    state.haveComeBack = false
    executor.collect()
    if (writes) executor.foreachKept(eviction.write)
    eviction.dropRetained()
    monitors.release(mirror)
    cold.maintain(ColdRows.codes(store, mirror, keys))
  }

  /** Whether an input has cold rows. */
  def areCold(input: Int): Boolean = cold.rows(input) > 0

  /** A cold row has been taken out of the state. */
  def expired(input: Int, time: Long, sequence: Long): Unit = {
    store.unmark(input, time, sequence)
    cold.remove(input)
  }

  private def isAsked(input: Int, slot: Int): Boolean =
    !dead(input)(slot) && (settings.mode.evicts || monitors.isWatched(
      state.retained.code(input, slot, mirror)
    ))

  /** Of the row at hand, whose constraints these are. */
  private def violation(of: Seq[MonitoredConstraint]) = violatedBy(row.input, row.row, of)

  /** Of a row of a result, which breaks one of these. */
  private def violation(joined: Array[Long], by: Seq[(Int, MonitoredConstraint)]) = {
    val input = by.headOption.fold(row.input)(_._1)
    val culprit = if (input == row.input) row.row else new UnsafeRow(shape.inputs(input).size)
    if (input != row.input) mirror.synopsis(input).pointTo(joined(input).toInt, culprit)
    violatedBy(input, culprit, by.map(_._2))
  }

  private def violatedBy(input: Int, culprit: UnsafeRow, of: Seq[MonitoredConstraint]) = ConstraintViolation(
    shape.inputs(input),
    shape.nameOf(input).getOrElse(s"input $input"),
    culprit,
    of.map(ConstraintText(_, shape))
  )
}
