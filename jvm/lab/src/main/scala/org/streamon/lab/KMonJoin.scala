package org.streamon.lab

import org.streamon.core.constraints._
import org.streamon.lab.baselines.constraints._

/** A many-one join under k-Mon as it runs in Spark: [[ConstraintExecutor]] over the rows of the join, in
  * micro-batches. Each row finds its results as it comes; which rows are dead is decided at the end of the
  * micro-batch. As below Spark's join, rows that fail their filter do not reach it. That keys of children are
  * unique is declared, and nothing is retained of the dead.
  *
  * @param projected
  *   by input: the columns that results show, beside the joined ones
  * @param constraints
  *   all that is measured, and relied on. Nothing is evicted where there are none.
  * @param batch
  *   arrivals of a micro-batch, 1 or more
  */
private[lab] final class KMonJoin(
    graph: DirectedJoinGraph,
    projected: IndexedSeq[Seq[Int]],
    constraints: Option[Seq[KConstraint]],
    sink: ResultSink,
    monitor: MonitorSettings = MonitorSettings(),
    batch: Int = 1
) extends WindowJoin
    with JoinResult {
  private val n = graph.n
  private val classes = new KeyClasses(graph)
  private val keys = classes.keys
  private val kept = Array.tabulate(n)(i => (graph.joinColumns(i) ++ projected(i)).distinct.toArray)
  private val monitors = new ConstraintMonitors(
    keys,
    constraints.toSeq.flatMap(classes.monitored(_, monitor)).toVector,
    ConstraintMode.Approximate,
    detect = true
  )
  private val rows = new InMemoryRows(
    keys,
    Array.tabulate(n, keys.dimensions)((i, d) => kept(i).indexOf(classes.column(i, d))),
    kept.map(_.length),
    monitors
  )
  private val dimensions = keys.dimensionsOf
  private val columns = Array.tabulate(n, keys.dimensions)(classes.column)
  private val joinColumns = Array.tabulate(n)(graph.joinColumns(_).toArray)
  private val paths = Array.tabulate(n)(i => classes.path(i).toArray)
  private val joined = new Array[Int](n)
  private var arrivals = 0
  private var executor = newExecutor()

  override def arrive(input: Int, row: Array[Long], passes: Boolean, order: Long): Unit = {
    if (passes && hasKeys(input, row)) {
      if (constraints.nonEmpty) observe(input, row)
      joined(input) = rows.add(input, row, kept(input), order)
      join(paths(input), 0)
      if (constraints.nonEmpty) executor.rowKept(input, joined(input))
    }
    arrivals += 1
    if (arrivals % batch == 0) collect()
  }

  private def hasKeys(input: Int, row: Array[Long]): Boolean = {
    val own = joinColumns(input)
    var k = 0
    while (k < own.length && row(own(k)) != NoValue) k += 1
    k == own.length
  }

  private def observe(input: Int, row: Array[Long]): Unit = {
    val own = dimensions(input)
    var k = 0
    while (k < own.length) {
      val d = own(k)
      val code = row(columns(input)(d))
      executor.rowArrived(input, d, code)
      val group = rows.find(d, code)
      if (group != null && group.heads(input) >= 0) monitors.repeats(d, input)
      k += 1
    }
  }

  private def join(path: Array[KeyClasses.Step], at: Int): Unit =
    if (at == path.length) sink.added(this)
    else {
      val step = path(at)
      var slot = rows.rowsOf(step.from, step.dimension, joined(step.from)).heads(step.to)
      while (slot >= 0) {
        joined(step.to) = slot
        join(path, at + 1)
        slot = rows.next(step.to, step.dimension, slot)
      }
    }

  override def value(input: Int, column: Int): Long =
    rows.value(input, joined(input), kept(input).indexOf(column))

  private def collect(): Unit = if (constraints.nonEmpty) {
    executor.measure(Nil)
    executor.collect()
    monitors.release(rows)
    executor = newExecutor()
  }

  private def newExecutor() = new ConstraintExecutor(keys, monitors, rows, (_, _) => true, rows.remove)

  override def expire(input: Int, through: Long): Unit = rows.expire(input, through)

  override def expireKey(input: Int, column: Int, value: Long): Unit = {
    val group = rows.find(classes.dimension(input, column), value)
    if (group != null) while (group.heads(input) >= 0) rows.remove(input, group.heads(input))
  }

  override def tuples: Int = rows.size
  override def bytes: Long = rows.bytes + monitors.bytes

  override def k(constraint: KConstraint): Long = monitors.all.find(classes.isOf(_, constraint)).get.k
}
