package org.streamon.spark.execution.constraints

import org.streamon.core.constraints.{
  ConstraintMode,
  ConstraintMonitors,
  JoinConstraint,
  Monitor,
  MonitoredConstraint
}
import org.streamon.spark.errors.CheckpointError
import org.streamon.spark.execution.state.{JoinShape, Mirror, MirrorListener}
import org.streamon.spark.metrics.ConstraintStatus
import org.streamon.spark.settings.ConstraintSettings
import org.streamon.spark.util.LogOnce

/** What constraints know and have done in one partition. It lives with the [[Mirror]] of its rows.
  *
  * @param declared
  *   constraints of hints
  */
final class ConstraintState(
    shape: JoinShape,
    val declared: Seq[JoinConstraint],
    val settings: ConstraintSettings
) extends MirrorListener {
  import ConstraintState._

  val monitors: ConstraintMonitors = new ConstraintMonitors(
    shape.joinKeys,
    MonitoredConstraint.all(shape.joinKeys, declared, settings.forCore),
    settings.mode,
    settings.detect
  )
  val cold: ColdTier = new ColdTier(shape)

  /** By input. */
  val dead: Array[DeadMarks] = Array.fill(shape.size)(new DeadMarks)

  val retained: RetainedRows = new RetainedRows(shape, declared, settings, dead)

  /** Whether rows have come back that constraints had called dead: what holds of their keys has been told
    * before.
    */
  var haveComeBack: Boolean = false

  /** Nothing of an input is in memory any longer. */
  def forget(input: Int): Unit = {
    cold.clear(input)
    dead(input).clear()
    retained.forget(input)
  }

  override def keyAdded(dimension: Int, code: Long): Unit = monitors.made(dimension, code)
  override def keyRemoved(dimension: Int, code: Long): Unit = monitors.isGone(dimension, code)

  /** Whether the row that has left last was marked as dead. */
  var leftMarked: Boolean = false

  override def rowLeaves(input: Int, slot: Int, bytes: Long): Unit = {
    leftMarked = dead(input)(slot) && settings.mode.evicts
    dead(input).remove(slot, bytes)
    if (leftMarked) retained.left(input, slot)
  }

  /** Looks whether a k that is declared means what it did when the state was written. Where results do not
    * depend on it, the log tells.
    *
    * @param path
    *   of the checkpoint
    * @throws CheckpointError
    *   where results depend on it
    */
  def check(path: String, stamp: Long, known: String => Option[Array[Long]]): Unit = for {
    (1, _) <- entry(stamp, known)
    ca <- monitors.all.collect { case c: MonitoredConstraint.Clustered => c }
    k <- ca.declared
  } {
    val error = CheckpointError.countedFromLatest(path, ConstraintText(ca, shape), k)
    settings.mode match {
      case ConstraintMode.Approximate | ConstraintMode.Strict => throw error
      case mode => LogOnce.warn(s"In mode ${mode.name} the query goes on: ${error.getMessage}")
    }
  }

  /** Puts back what `save` gave: where rows have gone by it, it must be what it was.
    *
    * @param stamp
    *   of the state; what was written with another is not of its rows
    * @param known
    *   by name
    */
  def restore(stamp: Long, known: String => Option[Array[Long]]): Unit =
    for ((version, _) <- entry(stamp, known); w <- monitors.all) known(w.name).foreach(w.restore(_, version))

  def save(stamp: Long, write: (String, Array[Long]) => Unit): Unit = {
    write(latest(Monitor.Version), Array(stamp, rules))
    monitors.all.foreach(w => write(w.name, w.state))
  }

  /** Whether rows may stay where constraints have put them: in strict, where these are the same that it has.
    */
  def keepsCold(stamp: Long, known: String => Option[Array[Long]]): Boolean = settings.mode.evicts &&
    (settings.mode != ConstraintMode.Strict || entry(stamp, known).exists(_._2.last == rules))

  /** The entry that was written with this state, and its version. */
  private def entry(stamp: Long, known: String => Option[Array[Long]]) =
    Versions.flatMap(v => known(latest(v)).map(v -> _)).find(_._2.head == stamp)

  private def rules = (settings.mode.name, declared.toSet).hashCode.toLong

  /** What was told last: in which run, of which micro-batch. */
  private var told = Option.empty[(String, Long, ConstraintStatus)]

  /** What is to be told in a micro-batch of a run of the query: nothing, where this partition has told the
    * same of the one before. From time to time it is told all the same, since a driver may have let go of it.
    */
  def news(status: ConstraintStatus, run: String, batch: Long): Option[ConstraintStatus] = {
    val isOld = told.contains((run, batch - 1, status)) && batch % RetoldEach != 0
    told = Some((run, batch, status))
    Option.when(!isOld)(status)
  }

  override def anew(mirror: Mirror): ConstraintState = {
    val state = new ConstraintState(shape, declared, settings)
    for (d <- 0 until shape.dimensions) mirror.foreachKey(d)(key => state.keyAdded(d, key.code))
    state
  }

  override def bytes: Long =
    monitors.memoryBytes + cold.bytes + dead.map(_.memoryBytes).sum + retained.bytes
}

object ConstraintState {

  /** That of a mirror's rows; none where constraints are not watched. */
  def of(mirror: Mirror): Option[ConstraintState] = mirror.listener match {
    case state: ConstraintState => Some(state)
    case _                      => None
  }

  /** Micro-batches. */
  private val RetoldEach = 64L

  /** Of the state that can be read, the newest first. */
  private val Versions = Monitor.Version to 1 by -1

  /** The name of an entry with the stamp of the state, and the rules by which rows have gone. By another name
    * no version finds what it cannot read, and begins anew.
    */
  private def latest(version: Int) = if (version == 1) "latest" else s"latest $version"
}
