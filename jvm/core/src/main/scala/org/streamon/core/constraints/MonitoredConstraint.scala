package org.streamon.core.constraints

/** A constraint of a join, and what measures it.
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
sealed abstract class MonitoredConstraint(
    val kind: String,
    val dimension: Int,
    val of: Int,
    val parent: Option[Int],
    val declared: Option[Long]
) {

  /** As checkpoints name it. */
  final def name: String = s"$kind ${parent.fold("")(p => s"$p -> ")}$of in $dimension"

  /** k, `Infinite` when it is not known. */
  def k: Long

  /** Whether the rows seen keep it closely enough. */
  def isKept: Boolean

  /** Rows seen that do not keep it. */
  def violations: Long

  /** What its content takes, and what its arrays do. */
  def bytes: Long
  def memoryBytes: Long

  /** As [[Monitor]] has them. */
  def counters: Array[Long]
  def hasChanged: Boolean
  def changedPages(each: (Long, Array[Long]) => Unit): Unit
  def restore(counters: Array[Long], page: Long => Array[Long]): Unit
  def restoreFormer(state: Array[Long], version: Int): Unit
}

object MonitoredConstraint {

  final class Unique(dimension: Int, of: Int, isDeclared: Boolean, settings: MonitorSettings)
      extends MonitoredConstraint("UNIQUE", dimension, of, None, if (isDeclared) Some(0L) else None) {
    val monitor = new UniqueMonitor(settings, isDeclared)
    override def k: Long = if (monitor.repeats == 0) 0L else Infinite
    override def isKept: Boolean = monitor.usable
    override def violations: Long = monitor.repeats
    override def bytes: Long = 0L
    override def memoryBytes: Long = 0L
    override def counters: Array[Long] = monitor.counters
    override def hasChanged: Boolean = false
    override def changedPages(each: (Long, Array[Long]) => Unit): Unit = ()
    override def restore(counters: Array[Long], page: Long => Array[Long]): Unit = monitor.restore(counters)
    override def restoreFormer(state: Array[Long], version: Int): Unit = monitor.restore(state)
  }

  /** Of a k that is measured. */
  sealed abstract class Close(
      kind: String,
      dimension: Int,
      of: Int,
      parent: Option[Int],
      declared: Option[Long]
  ) extends MonitoredConstraint(kind, dimension, of, parent, declared) {
    def monitor: Monitor
    override def k: Long = monitor.adherence.k
    override def isKept: Boolean = monitor.adherence.usable
    override def violations: Long = monitor.adherence.violations
    override def bytes: Long = monitor.bytes
    override def memoryBytes: Long = monitor.memoryBytes
    override def counters: Array[Long] = monitor.counters
    override def hasChanged: Boolean = monitor.hasChanged
    override def changedPages(each: (Long, Array[Long]) => Unit): Unit = monitor.changedPages(each)
    override def restore(counters: Array[Long], page: Long => Array[Long]): Unit =
      monitor.restore(counters, page)
    override def restoreFormer(state: Array[Long], version: Int): Unit = monitor.restoreFormer(state, version)
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
    override val monitor = new ScramblingMonitor(roomFor(declared, settings), declared)
  }

  /** Every constraint that the keys of a join may keep.
    *
    * @param declared
    *   the least k of several counts
    */
  def all(
      keys: JoinKeys,
      declared: Seq[JoinConstraint],
      settings: MonitorSettings
  ): IndexedSeq[MonitoredConstraint] = for {
    d <- 0 until keys.dimensions if !keys.constant(d)
    of <- keys.holders(d)
    constraint <- ofInput(d, of, keys, declared, settings)
  } yield constraint

  private def ofInput(
      d: Int,
      of: Int,
      keys: JoinKeys,
      declared: Seq[JoinConstraint],
      settings: MonitorSettings
  ): Seq[MonitoredConstraint] = {
    val own = declared.collect { case a: JoinConstraint.Adheres if a.dimension == d => a }
    def least(one: JoinConstraint.Adheres => Boolean) = own.filter(one).map(_.k).minOption
    val rids = keys.holders(d).toSeq.filter(_ != of).map { from =>
      val k = least(a => a.kind == ConstraintKind.RIDS && a.parent == from && a.child == of)
      new Rids(d, from, of, k, settings)
    }
    val clustered = new Clustered(d, of, least(a => a.kind == ConstraintKind.CA && a.parent == of), settings)
    val inOrder = Option.when(keys.ordered(d)) {
      val k = least { a =>
        a.kind == ConstraintKind.OAP && a.parent == of || a.kind == ConstraintKind.OAC && a.child == of
      }
      new Ordered(d, of, k, settings)
    }
    val unique = new Unique(d, of, declared.contains(JoinConstraint.Unique(of, d)), settings)
    unique +: rids :+ clustered :++ inOrder
  }
}
