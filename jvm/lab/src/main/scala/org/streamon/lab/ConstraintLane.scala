package org.streamon.lab

import org.streamon.core.constraints._
import org.streamon.lab.baselines.constraints._

/** A join of Chapter 6 at work under windows of rows: k-Mon, or the join without constraints. */
private[lab] final class ConstraintLane(
    graph: DirectedJoinGraph,
    window: Int,
    constraints: Option[Seq[KConstraint]],
    noComponents: NoComponentPolicy = NoComponentPolicy.UnlessAbsenceIsTold,
    monitor: MonitorSettings = MonitorSettings()
) {
  private val settings = ExecutorSettings(
    collectEvery = ConstraintLane.CollectEvery,
    noComponents = noComponents,
    monitor = monitor.copy(horizon = window.toLong)
  )

  private var found = 0L
  private val sink = new ResultSink {
    def added(result: JoinResult): Unit = found += 1
    def removed(result: JoinResult): Unit = found += 1
  }
  private val projected = Vector.fill(graph.n)(Seq(0, 1, 2))
  private val plain =
    if (constraints.isEmpty) new SlidingWindowJoin(graph, projected, sink) else null
  private val kMon = constraints.map(new ThesisExecutor(graph, projected, _, sink, settings)).orNull
  private val counts = new Array[Long](graph.n)
  private var cpu = 0L

  def feed(arrivals: Array[Arriving]): Unit = {
    val start = Lane.cpuNanos()
    var k = 0
    while (k < arrivals.length) {
      feed(arrivals(k))
      k += 1
    }
    cpu += Lane.cpuNanos() - start
  }

  private def feed(a: Arriving): Unit = {
    counts(a.input) += 1
    val order = counts(a.input)
    if (plain != null) {
      plain.arrive(a.input, a.row, a.passes, order)
      if (order > window) plain.expire(a.input, order - window)
    } else {
      kMon.arrive(a.input, a.row, a.passes, order)
      if (order > window) kMon.expire(a.input, order - window)
    }
  }

  def results: Long = found

  /** Processor time in feeding. */
  def cpuNanos: Long = cpu

  def tuples: Int = if (plain != null) plain.tuples else kMon.tuples

  /** With indexes, monitors and all. */
  def bytes: Long = if (plain != null) plain.bytes else kMon.bytes

  def monitor(parent: Int, child: Int, kind: ConstraintKind): Monitor = kMon.monitors(parent, child)(kind)
}

private[lab] object ConstraintLane {

  /** Arrivals between two collections: the thesis says that they are periodic, not how often. */
  val CollectEvery = 100

  /** Bytes and tuples as they come to be. */
  final case class Track(bytes: Seq[Double], tuples: Seq[Double], results: Long) {

    /** Of the latter half. */
    def level: Double = Experiment.mean(bytes.drop(bytes.size / 2))
    def levelTuples: Double = Experiment.mean(tuples.drop(tuples.size / 2))

    /** Standard deviation of bytes in the latter half. */
    def amplitude: Double = {
      val late = bytes.drop(bytes.size / 2)
      math.sqrt(Experiment.mean(late.map(b => (b - level) * (b - level))))
    }
  }

  def track(lane: ConstraintLane, arrivals: Array[Arriving], points: Int): Track = {
    val size = math.max(arrivals.length / points, 1)
    val found = arrivals.grouped(size).take(points).map { some =>
      lane.feed(some)
      (lane.bytes.toDouble, lane.tuples.toDouble)
    }
    val all = found.toVector
    Track(all.map(_._1), all.map(_._2), lane.results)
  }

  /** The k that streams keep, as a monitor finds it over all of them. */
  def measured(
      graph: DirectedJoinGraph,
      arrivals: Array[Arriving],
      kind: ConstraintKind,
      parent: Int,
      child: Int
  ): KConstraint = {
    val e = graph.edges.find(e => e.parent == parent && e.child == child).get
    val whole = MonitorSettings(window = Int.MaxValue)
    val (monitor, arrive) = kind match {
      case ConstraintKind.RIDS =>
        val m = new JoinDistanceMonitor(whole)
        val here = scala.collection.mutable.HashSet.empty[Long]
        (
          m,
          (a: Arriving) =>
            if (a.input == child) {
              m.childArrives(a.row(e.childColumn))
              here += a.row(e.childColumn)
            } else if (a.input == parent && !here(a.row(e.parentColumn))) m.parentWaits(a.row(e.parentColumn))
        )
      case ConstraintKind.CA =>
        val m = new ClusteringMonitor(whole)
        (m, (a: Arriving) => if (a.input == parent) m.arrives(a.row(e.parentColumn)))
      case ConstraintKind.OAP =>
        val m = new ScramblingMonitor(whole)
        (m, (a: Arriving) => if (a.input == parent) m.arrives(a.row(e.parentColumn)))
      case ConstraintKind.OAC =>
        val m = new ScramblingMonitor(whole)
        (m, (a: Arriving) => if (a.input == child) m.arrives(a.row(e.childColumn)))
    }
    arrivals.foreach(a => arrive(a))
    KConstraint(kind, parent, child, Some(monitor.adherence.greatest))
  }
}
