package org.streamon.spark.execution.constraints

import java.util.concurrent.TimeUnit.MILLISECONDS

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.streamon.core.constraints.Infinite
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
      state.watch.all.indices.map(k => of(shape, state, k, mirror)),
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
    val share = if (state.settings.mode.evicts) 1.0 else state.watch.share
    ((dead.rows / share).round, (dead.bytes / share).round)
  }

  /** Where an input is read from the state store nothing of it is retained. */
  private def missed(state: ConstraintState, input: Int, mirror: Mirror) = {
    val sample = state.retained.takeMissed(input)
    if (mirror.spilled.contains(true)) sample.copy(greatest = Double.PositiveInfinity) else sample
  }

  private def of(shape: JoinShape, state: ConstraintState, at: Int, mirror: Mirror) = {
    val watched = state.watch.all(at)
    val holds = watched.holds && !mirror.spilled(watched.of)
    ConstraintReport(
      state.texts(at),
      watched.kind,
      watched.parent,
      watched.of,
      watched.declared.nonEmpty,
      holds && Watched.isTrusted(watched, state.settings),
      Some(watched.k).filter(k => k < Infinite && (holds || watched.kind != "UNIQUE")),
      watched.violations,
      if (holds) hint(shape, watched) else None
    )
  }

  private def hint(shape: JoinShape, watched: Watched): Option[String] = for {
    own <- shape.nameOf(watched.of, watched.dimension)
    key <- columns(shape.keys(watched.dimension)(watched.of))
    text <- watched match {
      case _: Watched.Unique    => Some(s"UNIQUE($own, ${key.mkString(", ")})")
      case r: Watched.Rids      => shape.nameOf(r.parent.get, r.dimension).map(declared("RIDS", _, own, r.k))
      case c: Watched.Clustered =>
        other(shape, c).flatMap(shape.nameOf(_, c.dimension)).map(declared("CA", own, _, c.k))
      case o: Watched.Ordered =>
        other(shape, o).flatMap(shape.nameOf(_, o.dimension)).map(declared("OAP", own, _, o.k))
    }
  } yield text

  private def declared(kind: String, parent: String, child: String, k: Long) =
    s"K_CONSTRAINT('$kind', $parent, $child, $k)"

  private def other(shape: JoinShape, watched: Watched): Option[Int] =
    (0 until shape.size).find(i => i != watched.of && shape.holds(i, watched.dimension))

  private def columns(key: Seq[Expression]): Option[Seq[String]] = {
    val names = key.collect { case a: Attribute => a.name }
    Option.when(names.size == key.size)(names)
  }
}
