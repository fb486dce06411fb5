package org.streamon.spark.execution.constraints

import org.streamon.core.constraints.{ConstraintMode, _}
import org.streamon.spark.execution.state.JoinShape
import org.streamon.spark.logical.JoinConstraint
import org.streamon.spark.settings.ConstraintSettings

/** A constraint that is watched.
  *
  * @param kind
  *   `UNIQUE`, `RIDS`, `CA` or `OA`
  * @param of
  *   the input that it says something of
  * @param parent
  *   for `RIDS`, the input whose rows wait
  * @param declared
  *   k, and 0 for `UNIQUE`; none when it is to be learned
  */
sealed abstract class Watched(
    val kind: String,
    val dimension: Int,
    val of: Int,
    val parent: Option[Int],
    val declared: Option[Long]
) {

  /** As checkpoints name it. */
  final def name: String = s"$kind ${parent.fold("")(p => s"$p -> ")}$of in $dimension"

  /** As people read it. */
  final def text(shape: JoinShape): String = {
    val key = shape.keys(dimension)(of).map(JoinShape.inColumns).mkString(", ")
    def called(input: Int) = shape.nameOf(input, dimension).getOrElse(s"input $input")
    s"$kind ${parent.fold("")(p => s"${called(p)} -> ")}${called(of)} on $key"
  }

  /** k, `Infinite` when it is not known. */
  def k: Long

  /** Whether the rows seen keep it closely enough. */
  def holds: Boolean

  /** Rows seen that do not keep it. */
  def violations: Long
  def bytes: Long
  def state: Array[Long]

  /** @param version
    *   of the state, as of monitors
    */
  def restore(state: Array[Long], version: Int): Unit
}

object Watched {

  final class Unique(dimension: Int, of: Int, isDeclared: Boolean, settings: MonitorSettings)
      extends Watched("UNIQUE", dimension, of, None, if (isDeclared) Some(0L) else None) {
    val monitor = new UniqueMonitor(settings, isDeclared)
    override def k: Long = if (monitor.repeats == 0) 0L else Infinite
    override def holds: Boolean = monitor.usable
    override def violations: Long = monitor.repeats
    override def bytes: Long = 0L
    override def state: Array[Long] = monitor.state
    override def restore(state: Array[Long], version: Int): Unit = monitor.restore(state)
  }

  /** Of a k that is measured. */
  sealed abstract class Close(
      kind: String,
      dimension: Int,
      of: Int,
      parent: Option[Int],
      declared: Option[Long]
  ) extends Watched(kind, dimension, of, parent, declared) {
    def monitor: Monitor
    override def k: Long = monitor.adherence.k
    override def holds: Boolean = monitor.adherence.usable
    override def violations: Long = monitor.adherence.violations
    override def bytes: Long = monitor.bytes
    override def state: Array[Long] = monitor.state
    override def restore(state: Array[Long], version: Int): Unit = monitor.restore(state, version)
  }

  final class Rids(dimension: Int, from: Int, of: Int, declared: Option[Long], settings: MonitorSettings)
      extends Close("RIDS", dimension, of, Some(from), declared) {
    override val monitor = new JoinDistanceMonitor(roomFor(declared, settings), declared)
  }

  /** What is declared counts, however great it is. */
  private def roomFor(declared: Option[Long], settings: MonitorSettings) = declared.fold(settings) { k =>
    val most = math.min(k, 1L << 60)
    settings.copy(
      threshold = math.max(settings.threshold, most),
      horizon = math.max(settings.horizon, 2 * most + settings.window)
    )
  }

  final class Clustered(dimension: Int, of: Int, declared: Option[Long], settings: MonitorSettings)
      extends Close("CA", dimension, of, None, declared) {
    override val monitor = new ClusteringMonitor(roomFor(declared, settings), declared)
  }

  final class Ordered(dimension: Int, of: Int, declared: Option[Long], settings: MonitorSettings)
      extends Close("OA", dimension, of, None, declared) {
    override val monitor = new BatchScramblingMonitor(roomFor(declared, settings), declared)
  }

  /** Every constraint of a join on keys that may be kept. */
  def all(
      shape: JoinShape,
      declared: Seq[JoinConstraint],
      settings: ConstraintSettings
  ): IndexedSeq[Watched] = {
    val numbers = shape.numbers
    for {
      d <- 0 until shape.dimensions if !shape.isConstant(d)
      holders = (0 until shape.size).filter(shape.holds(_, d))
      of <- holders
      watched <- ofInput(d, of, holders, numbers(d).ordered, declared, settings.forCore)
    } yield watched
  }

  private def ofInput(
      d: Int,
      of: Int,
      holders: Seq[Int],
      ordered: Boolean,
      declared: Seq[JoinConstraint],
      settings: MonitorSettings
  ): Seq[Watched] = {
    val own = declared.collect { case a: JoinConstraint.Adheres if a.dimension == d => a }
    def least(one: JoinConstraint.Adheres => Boolean) = own.filter(one).map(_.k).minOption
    val rids = holders.filter(_ != of).map { from =>
      val k = least(a => a.kind == ConstraintKind.RIDS && a.parent == from && a.child == of)
      new Rids(d, from, of, k, settings)
    }
    val clustered = new Clustered(d, of, least(a => a.kind == ConstraintKind.CA && a.parent == of), settings)
    val inOrder = Option.when(ordered) {
      val k = least { a =>
        a.kind == ConstraintKind.OAP && a.parent == of || a.kind == ConstraintKind.OAC && a.child == of
      }
      new Ordered(d, of, k, settings)
    }
    new Unique(
      d,
      of,
      declared.contains(JoinConstraint.Unique(of, d)),
      settings
    ) +: rids :+ clustered :++ inOrder
  }

  /** Whether decisions rely on a constraint when it holds. That no key comes twice is not to be learned from
    * rows among which none has come twice yet: where rows are lost by it, it must be declared.
    */
  def isTrusted(watched: Watched, settings: ConstraintSettings): Boolean =
    watched.declared.nonEmpty || settings.detect && settings.mode != ConstraintMode.Strict &&
      (watched.kind != "UNIQUE" || settings.mode != ConstraintMode.Approximate)
}
