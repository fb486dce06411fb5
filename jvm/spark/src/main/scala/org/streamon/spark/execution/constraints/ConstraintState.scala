package org.streamon.spark.execution.constraints

import org.streamon.core.constraints.{ConstraintMonitors, JoinConstraint, MonitoredConstraint}
import org.streamon.spark.execution.state.{JoinShape, Mirror, MirrorListener}
import org.streamon.spark.metrics.ConstraintStatus
import org.streamon.spark.settings.ConstraintSettings

/** The state of the constraints of one partition. It has the lifetime of the [[Mirror]] of its rows.
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
  val checkpoint: ConstraintCheckpoint = new ConstraintCheckpoint(this, shape)
  val cold: ColdTier = new ColdTier(shape)

  /** By input, microseconds: cold rows with a time up to it have gone, though they may still lie in the
    * store.
    */
  var gone: Array[Long] = Array.fill(shape.size)(Long.MinValue)

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

  override def anew: ConstraintState = new ConstraintState(shape, declared, settings)

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
}
