package org.streamon.lab.baselines.constraints

import java.util.function.LongPredicate

import org.streamon.core.constraints.{ConstraintKind, Monitor, NoValue}

/** The thesis's Executor of k-Mon (Chapter 6): a many-one join of streams that keeps what may still matter,
  * and by constraints less. Without any it is the basic algorithm of Section 6.4.
  *
  * Every input's tuples arrive with numbers that do not decrease, by which they expire: sequence numbers for
  * windows of rows, times for windows of time. Many-one joins are believed. Where a child's key comes again,
  * tuples above that arrive later find the new one, and those from before may miss it.
  *
  * With constraints that the data keep, no result is missing; with a k that is too small some may be, and
  * none is ever wrong.
  *
  * @param projected
  *   by input: the columns that results show, beside the joined ones
  * @param constraints
  *   to be used. Of one kind at most one on each join.
  * @throws IllegalArgumentException
  *   when a constraint is not on a join of the graph, or two are the same but for k
  */
final class ThesisExecutor(
    graph: DirectedJoinGraph,
    projected: IndexedSeq[Seq[Int]],
    constraints: Seq[KConstraint],
    sink: ResultSink,
    settings: ExecutorSettings = ExecutorSettings()
) extends WindowJoin {
  require(
    projected.size == graph.n,
    s"projected columns of ${projected.size} inputs: the graph has ${graph.n}"
  )

  private val edgeMonitors: Array[EdgeMonitors] = graph.edges.indices.map { e =>
    val own = constraints.filter(_.edgeIn(graph) == e)
    own.groupBy(_.kind).values.foreach { same =>
      require(same.size == 1, s"${same.mkString(", ")}: expected at most one of a kind on a join")
    }
    EdgeMonitors(graph.edges(e), settings.monitor, own.map(c => c.kind -> c.k).toMap)
  }.toArray

  /** By input, whether each join with a parent can tell that no more parents come. */
  private val eliminable =
    graph.toParents.map(up => up.nonEmpty && up.forall(edgeMonitors(_).tellsEnd)).toArray
  private val parts = Array.tabulate(graph.n) { i =>
    new Components(graph, i, projected(i), marked = eliminable(i))
  }
  private val toParents = graph.toParents.map(_.toArray).toArray
  private val toChildren = graph.toChildren.map(_.toArray).toArray
  private val joined = Array.tabulate(graph.n)(graph.joinColumns(_).toArray)
  private val noComponents = new NoComponentChoice(graph, edgeMonitors, parts, settings.noComponents)
  private val synopses = new PartedSynopses(graph, parts, eliminable, edgeMonitors, sink, noComponents)
  private val expired = Array.fill(graph.n)(Long.MinValue)
  private var arrivals = 0L

  // Made once, so that collecting allocates nothing.
  private val closingRids = Array.tabulate[LongPredicate](edgeMonitors.size) { e => key =>
    noComponents.closes(e, synopses.neverComes(e, key))
    true
  }

  private val closingCa = Array.tabulate[LongPredicate](edgeMonitors.size) { e => value =>
    !eliminable(graph.edges(e).child) || {
      synopses.endsForNo(e, value)
      val ended = !synopses.hasUnknown(e, value)
      if (ended) synopses.endsForLive(e, value)
      ended
    }
  }

  private val releasing: (Int, Long) => Unit =
    (edge, value) => edgeMonitors(edge).ca.release(value, closingCa(edge))

  override def arrive(input: Int, row: Array[Long], passes: Boolean, order: Long): Unit = {
    noComponents.rowArrived(input, order, expired(input))
    observe(input, row)
    place(input, row, passes, order)
    arrivals += 1
    if (settings.collectEvery > 0 && arrivals % settings.collectEvery == 0) collect()
  }

  override def expire(input: Int, through: Long): Unit = {
    val live = parts(input).live
    while (live.oldest != End && live.order(live.oldest) <= through)
      synopses.addNo(input, live.oldest, entered = true)
    expired(input) = through
  }

  /** Dead ones leave where the column joins a parent; else they are gone when their order has expired, and
    * harm nothing.
    */
  override def expireKey(input: Int, column: Int, value: Long): Unit = parts(input).expireKey(column, value) {
    slot =>
      synopses.addNo(input, slot, entered = true)
  }

  /** Removes what constraints call dead, and No tuples that have expired. */
  def collect(): Unit = {
    var e = 0
    while (e < edgeMonitors.length) {
      collect(e)
      e += 1
    }
    synopses.release(releasing)
    var i = 0
    while (i < parts.length) {
      if (expired(i) != Long.MinValue) parts(i).expireNo(expired(i))
      i += 1
    }
    noComponents.collect()
  }

  private def observe(input: Int, row: Array[Long]): Unit = {
    var k = 0
    while (k < toParents(input).length) {
      val monitors = edgeMonitors(toParents(input)(k))
      monitors.childArrives(row(monitors.edge.childColumn))
      k += 1
    }
    k = 0
    while (k < toChildren(input).length) {
      val monitors = edgeMonitors(toChildren(input)(k))
      monitors.parentArrives(row(monitors.edge.parentColumn))
      k += 1
    }
  }

  private def place(input: Int, row: Array[Long], passes: Boolean, order: Long): Unit = {
    val slot = parts(input).store(row, order)
    var part = if (passes && hasValues(input, row)) synopses.verdict(input, slot) else Part.No
    if (passes && part == Part.No) noComponents.rejected(input, slot, synopses)
    var k = 0
    while (part == Part.Unknown && k < toChildren(input).length) {
      val edge = toChildren(input)(k)
      val key = parts(input).key(slot, edge)
      if (synopses.childParts(k) == Part.Free) {
        if (edgeMonitors(edge).waits(key)) part = Part.No
      } else edgeMonitors(edge).finds()
      k += 1
    }
    if (part == Part.Yes) finds(input)
    if (part == Part.Yes) synopses.addYes(input, slot)
    else if (part == Part.Unknown) synopses.addUnknown(input, slot)
    else synopses.addNo(input, slot, entered = false)
  }

  private def finds(input: Int): Unit = {
    var k = 0
    while (k < toChildren(input).length) {
      edgeMonitors(toChildren(input)(k)).finds()
      k += 1
    }
  }

  private def hasValues(input: Int, row: Array[Long]): Boolean = {
    var k = 0
    while (k < joined(input).length && row(joined(input)(k)) != NoValue) k += 1
    k == joined(input).length
  }

  private def collect(e: Int): Unit = {
    val monitors = edgeMonitors(e)
    if (monitors.rids != null) monitors.rids.close(closingRids(e))
    if (monitors.ca != null) monitors.ca.close(closingCa(e))
    if (monitors.oac != null) {
      val bound = monitors.oac.bound
      while (monitors.waiting.least < bound) synopses.neverComes(e, monitors.waiting.popAll())
      monitors.waiting.compact((value, _) => synopses.hasUnknown(e, value))
    }
    if (monitors.oap != null) {
      val bound = monitors.oap.bound
      while (monitors.aheadNo.least < bound) synopses.endsForNo(e, monitors.aheadNo.popAll())
      val low = math.min(bound, monitors.unknown.low)
      while (monitors.aheadLive.least < low) synopses.endsForLive(e, monitors.aheadLive.popAll())
    }
  }

  /** Tuples of an input in one part, see [[Part]]. */
  private[constraints] def size(input: Int, part: Byte): Int =
    if (part == Part.No) parts(input).no.size
    else {
      val live = parts(input).live
      (0 until live.slotCount).count(live.part(_) == part)
    }

  /** In all parts. */
  override def tuples: Int = parts.map(p => p.live.size + p.no.size).sum

  override def bytes: Long = synopses.bytes + monitorBytes

  /** Of that, what monitors, histograms and heaps take. */
  def monitorBytes: Long = edgeMonitors.map(_.bytes).sum

  override def k(constraint: KConstraint): Long =
    monitors(constraint.parent, constraint.child)(constraint.kind).adherence.k

  /** The monitors of the join from a parent to a child. */
  def monitors(parent: Int, child: Int): Map[ConstraintKind, Monitor] =
    edgeMonitors.find(w => w.edge.parent == parent && w.edge.child == child).toSeq.flatMap(_.monitors).toMap

  /** Distances seen above the k in use, in all. */
  def violations: Long = edgeMonitors.flatMap(_.monitors).map(_._2.adherence.violations).sum

  /** Whether No tuples of an input are kept now. */
  def keepsNo(input: Int): Boolean = noComponents.keepsAll(input)
}
