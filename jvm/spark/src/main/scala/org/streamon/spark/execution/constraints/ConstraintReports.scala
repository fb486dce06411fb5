package org.streamon.spark.execution.constraints

import java.util.concurrent.TimeUnit.MILLISECONDS

import scala.collection.immutable.ArraySeq

import org.streamon.core.constraints.{Infinite, MonitoredConstraint}
import org.streamon.spark.execution.state.Mirror
import org.streamon.spark.metrics.{ConstraintCounts, ConstraintStatus, EvictionCounts}

/** The reports of a task about its constraints, after its state is committed. */
object ConstraintReports {

  /** @param run
    *   of the query
    */
  def of(
      state: ConstraintState,
      task: TaskConstraints,
      mirror: Mirror,
      query: String,
      run: String,
      batch: Long,
      partition: Int
  ): ConstraintCounts = {
    val kept = mirror.rows
    ConstraintCounts(
      MILLISECONDS.toMicros(System.currentTimeMillis),
      query,
      batch,
      partition,
      state.news(status(state, mirror), run, batch),
      kept.indices.map { i =>
        val (rows, bytes) = (kept(i), mirror.synopsis(i).memoryBytes)
        val (deadRows, deadBytes) = estimate(state, i)
        EvictionCounts(
          rows + state.cold.rows(i),
          bytes,
          math.min(deadRows, rows),
          math.min(deadBytes, bytes),
          task.evicted(i),
          state.cold.rows(i),
          task.violations(i),
          missed(state, i, mirror)
        )
      },
      state.bytes
    )
  }

  /** Dead rows of an input that memory holds, and their bytes. */
  private def estimate(state: ConstraintState, input: Int): (Long, Long) = {
    val dead = state.dead(input)
    // In approximate what is retained is all that there is.
    val share = if (state.settings.mode.evicts) 1.0 else state.monitors.share
    ((dead.rows / share).round, (dead.bytes / share).round)
  }

  /** Where an input is read from the state store nothing of it is retained. */
  private def missed(state: ConstraintState, input: Int, mirror: Mirror) = {
    val sample = state.retained.takeMissed(input)
    if (mirror.spilled.contains(true)) sample.copy(greatest = Double.PositiveInfinity) else sample
  }

  private def status(state: ConstraintState, mirror: Mirror) = {
    val all = state.monitors.all
    def isKept(c: MonitoredConstraint) = c.isKept && !mirror.spilled(c.of)
    def known(c: MonitoredConstraint) =
      if (c.k < Infinite && (isKept(c) || c.kind != "UNIQUE")) c.k else -1L
    ConstraintStatus(
      ArraySeq.from(all.map(known)),
      ArraySeq.from(all.map(_.violations)),
      ArraySeq.from(all.map(c => isKept(c) && state.monitors.trusts(c))),
      ArraySeq.from(all.map(isKept))
    )
  }
}
