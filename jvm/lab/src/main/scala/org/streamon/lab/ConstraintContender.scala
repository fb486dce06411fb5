package org.streamon.lab

import org.streamon.core.constraints._
import org.streamon.lab.baselines.constraints._

/** A join of Chapter 6 at work under windows of rows.
  *
  * @param constraints
  *   none for the join without
  */
private[lab] final class ConstraintContender(
    engine: ConstraintEngine,
    graph: DirectedJoinGraph,
    window: Int,
    constraints: Option[Seq[KConstraint]],
    monitor: MonitorSettings = MonitorSettings()
) {
  private var found = 0L
  private val sink: ResultSink = _ => found += 1
  private val join = engine.join(
    graph,
    Vector.fill(graph.n)(Seq(0, 1, 2)),
    constraints,
    monitor.copy(horizon = window.toLong),
    ConstraintContender.CollectEvery,
    sink
  )
  private val counts = new Array[Long](graph.n)
  private var cpu = 0L

  def feed(arrivals: Array[Arriving]): Unit = {
    val start = Contender.cpuNanos()
    var k = 0
    while (k < arrivals.length) {
      feed(arrivals(k))
      k += 1
    }
    cpu += Contender.cpuNanos() - start
  }

  private def feed(a: Arriving): Unit = {
    counts(a.input) += 1
    val order = counts(a.input)
    join.arrive(a.input, a.row, a.passes, order)
    if (order > window) join.expire(a.input, order - window)
  }

  def results: Long = found

  /** Processor time in feeding. */
  def cpuNanos: Long = cpu

  def tuples: Int = join.tuples

  /** With indexes, monitors and all. */
  def bytes: Long = join.bytes

  /** The k in use of a constraint; `Infinite` when it is not known. */
  def k(constraint: KConstraint): Long = join.k(constraint)
}

private[lab] object ConstraintContender {

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

  def track(contender: ConstraintContender, arrivals: Array[Arriving], points: Int): Track = {
    val size = math.max(arrivals.length / points, 1)
    val found = arrivals.grouped(size).take(points).map { some =>
      contender.feed(some)
      (contender.bytes.toDouble, contender.tuples.toDouble)
    }
    val all = found.toVector
    Track(all.map(_._1), all.map(_._2), contender.results)
  }

  /** The k that streams keep, as a monitor finds it over all that reaches the join. */
  def measured(
      engine: ConstraintEngine,
      graph: DirectedJoinGraph,
      arrivals: Array[Arriving],
      kind: ConstraintKind,
      parent: Int,
      child: Int
  ): KConstraint = {
    val e = graph.edges.find(e => e.parent == parent && e.child == child).get
    val edge = EdgeMonitors(e, MonitorSettings(window = Int.MaxValue), Map(kind -> None))
    val here = scala.collection.mutable.HashSet.empty[Long]
    engine.reaching(arrivals).foreach { a =>
      if (a.input == child) {
        edge.childArrives(a.row(e.childColumn))
        here += a.row(e.childColumn)
      } else if (a.input == parent) {
        edge.parentArrives(a.row(e.parentColumn))
        if (kind == ConstraintKind.RIDS && !here(a.row(e.parentColumn))) edge.waits(a.row(e.parentColumn))
      }
    }
    KConstraint(kind, parent, child, Some(edge.monitors.head._2.adherence.greatest))
  }
}
