package org.streamon.spark.execution.constraints

import java.util.concurrent.TimeUnit.MILLISECONDS

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.streamon.core.constraints.{Infinite, MonitoredConstraint}
import org.streamon.spark.execution.state.{JoinShape, Mirror}
import org.streamon.spark.metrics.{ConstraintReport, ConstraintUse, EvictionReport}

/** What a task tells of its constraints, when its state has been committed. */
object ConstraintReports {
  def of(
      shape: JoinShape,
      state: ConstraintState,
      task: TaskConstraints,
      mirror: Mirror,
      query: String,
      operator: String,
      batch: Long,
      partition: Int,
      sharesKeys: Boolean
  ): ConstraintUse = {
    val kept = mirror.rows
    ConstraintUse(
      MILLISECONDS.toMicros(System.currentTimeMillis),
      query,
      operator,
      batch,
      state.settings.mode.name,
      state.settings.retention,
      partition,
      state.monitors.all.indices.map(k => of(shape, state, k, mirror)),
      (0 until shape.size).map { i =>
        val (rows, bytes) = (kept(i), mirror.synopsis(i).memoryBytes)
        val (deadRows, deadBytes) = estimate(state, i)
        EvictionReport(
          shape.nameOf(i),
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
      state.bytes,
      sharesKeys
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

  private def of(shape: JoinShape, state: ConstraintState, at: Int, mirror: Mirror) = {
    val constraint = state.monitors.all(at)
    val holds = constraint.isKept && !mirror.spilled(constraint.of)
    ConstraintReport(
      state.texts(at),
      constraint.kind,
      constraint.parent,
      constraint.of,
      constraint.declared.nonEmpty,
      holds && state.monitors.trusts(constraint),
      Some(constraint.k).filter(k => k < Infinite && (holds || constraint.kind != "UNIQUE")),
      constraint.violations,
      if (holds) hint(shape, constraint) else None
    )
  }

  private def hint(shape: JoinShape, constraint: MonitoredConstraint): Option[String] = for {
    own <- shape.nameOf(constraint.of, constraint.dimension)
    key <- columns(shape.keys(constraint.dimension)(constraint.of))
    text <- constraint match {
      case _: MonitoredConstraint.Unique => Some(s"UNIQUE($own, ${key.mkString(", ")})")
      case r: MonitoredConstraint.Rids   =>
        shape.nameOf(r.parent.get, r.dimension).map(declared("RIDS", _, own, r.k))
      case c: MonitoredConstraint.Clustered =>
        other(shape, c).flatMap(shape.nameOf(_, c.dimension)).map(declared("CA", own, _, c.k))
      case o: MonitoredConstraint.Ordered =>
        other(shape, o).flatMap(shape.nameOf(_, o.dimension)).map(declared("OAP", own, _, o.k))
    }
  } yield text

  private def declared(kind: String, parent: String, child: String, k: Long) =
    s"K_CONSTRAINT('$kind', $parent, $child, $k)"

  private def other(shape: JoinShape, constraint: MonitoredConstraint): Option[Int] =
    (0 until shape.size).find(i => i != constraint.of && shape.holds(i, constraint.dimension))

  private def columns(key: Seq[Expression]): Option[Seq[String]] = {
    val names = key.collect { case a: Attribute => a.name }
    Option.when(names.size == key.size)(names)
  }
}
