package org.streamon.lab.baselines.constraints

import org.streamon.core.constraints.{ConstraintKind, Distances, NoValue}
import java.util.SplittableRandom
import scala.collection.mutable

final case class StreamArrival(input: Int, row: Vector[Long], passes: Boolean)

/** A many-one join and its input.
  *
  * @param windows
  *   rows, by input; none is unlimited
  */
final case class ManyOneCase(
    graph: DirectedJoinGraph,
    arrivals: Vector[StreamArrival],
    windows: Vector[Option[Int]]
) {

  /** Rows by the sequence of their input's arrivals: column 0 is an id. */
  val projected: Vector[Seq[Int]] = Vector.fill(graph.n)(Seq(0))

  /** What a nested loop finds with each arrival: ids by input. */
  def naive: Vector[Set[Vector[Long]]] = {
    val held = Array.fill(graph.n)(mutable.Buffer.empty[StreamArrival])
    def results(fixed: StreamArrival): Set[Vector[Long]] = {
      def grow(chosen: Map[Int, StreamArrival], input: Int): Seq[Map[Int, StreamArrival]] =
        if (input == graph.n) Seq(chosen)
        else
          (if (input == fixed.input) Seq(fixed) else held(input).toSeq)
            .filter(_.passes)
            .map(a => chosen + (input -> a))
            .filter(c =>
              graph.edges.forall(e =>
                !c.contains(e.parent) || !c.contains(e.child) ||
                  math.max(e.parent, e.child) != input ||
                  c(e.parent).row(e.parentColumn) == c(e.child).row(e.childColumn) &&
                  c(e.parent).row(e.parentColumn) != NoValue
              )
            )
            .flatMap(grow(_, input + 1))
      val found = grow(Map(), 0).map(c => Vector.tabulate(graph.n)(c(_).row(0)))
      assert(found.distinct.size == found.size)
      found.toSet
    }
    arrivals.map { a =>
      val added = results(a)
      held(a.input) += a
      if (windows(a.input).exists(held(a.input).size > _)) held(a.input).remove(0)
      added
    }
  }

  /** What k-Mon gives, by arrival, repeats and all; `after` sees it after each. */
  def run(
      constraints: Seq[KConstraint],
      settings: ExecutorSettings = ExecutorSettings(),
      after: ThesisExecutor => Unit = _ => ()
  ): Vector[Vector[Vector[Long]]] = {
    val results = mutable.Buffer.empty[Vector[Long]]
    val sink: ResultSink = r => results += ManyOneCase.ids(r, graph)
    val executor = new ThesisExecutor(graph, projected, constraints, sink, settings)
    val counts = new Array[Long](graph.n)
    arrivals.map { a =>
      counts(a.input) += 1
      executor.arrive(a.input, a.row.toArray, a.passes, counts(a.input))
      windows(a.input).foreach(w => if (counts(a.input) > w) executor.expire(a.input, counts(a.input) - w))
      after(executor)
      val found = results.toVector
      results.clear()
      found
    }
  }

  def ofEdge(edge: Int, kind: ConstraintKind): Long = {
    val e = graph.edges(edge)
    def column(input: Int) = arrivals.filter(_.input == input).map(_.row(e.columnOf(input)))
    (kind match {
      case ConstraintKind.RIDS =>
        Distances.join(arrivals.collect {
          case a if a.input == e.parent => (true, a.row(e.parentColumn))
          case a if a.input == e.child  => (false, a.row(e.childColumn))
        })
      case ConstraintKind.CA  => Distances.clustering(column(e.parent))
      case ConstraintKind.OAP => Distances.scrambling(column(e.parent))
      case ConstraintKind.OAC => Distances.scrambling(column(e.child))
    }).maxOption.getOrElse(0L)
  }

  /** Every constraint on every join, with the k that its data keep. */
  def kept: Vector[KConstraint] =
    for (e <- graph.edges.indices.toVector; kind <- ConstraintKind.all)
      yield KConstraint(kind, graph.edges(e).parent, graph.edges(e).child, Some(ofEdge(e, kind)))
}

object ManyOneCase {

  private def ids(r: JoinResult, graph: DirectedJoinGraph): Vector[Long] =
    Vector.tabulate(graph.n)(r.value(_, 0))

  /** Any oriented tree of some inputs; an input's joins with parents may share a column. */
  def graph(n: Int, random: SplittableRandom): DirectedJoinGraph = {
    val pairs = (1 until n).map { i =>
      val other = random.nextInt(i)
      if (random.nextBoolean()) (i, other) else (other, i)
    }
    val shared = Array.fill(n)(random.nextBoolean())
    val columns = Array.fill(n)(1)
    val keyColumn = Array.fill(n)(-1)
    def next(i: Int) = {
      columns(i) += 1
      columns(i) - 1
    }
    new DirectedJoinGraph(
      n,
      pairs.map { case (parent, child) =>
        if (keyColumn(child) < 0 || !shared(child)) keyColumn(child) = next(child)
        ManyOne(parent, next(parent), child, keyColumn(child))
      }
    )
  }

  /** Streams whose keys drift: a child brings each of its keys once, a little out of order, and parents refer
    * to keys near those, of which some never come.
    */
  def of(n: Int, length: Int, random: SplittableRandom): ManyOneCase = {
    val g = graph(n, random)
    val spread = 1 + random.nextInt(6)
    val lag = random.nextInt(4) - 2
    val rates = Vector.fill(n)(1 + random.nextInt(4))
    val width = Vector.tabulate(n)(i => 1 + g.joinColumns(i).max)
    val pending = Array.fill(n, 8)(mutable.Buffer.empty[Long])
    val fresh = Array.fill(n, 8)(0L)
    def key(i: Int, column: Int) = {
      val waiting = pending(i)(column)
      while (waiting.size < spread) {
        fresh(i)(column) += 1
        if (random.nextInt(6) > 0) waiting += fresh(i)(column)
      }
      waiting.remove(random.nextInt(waiting.size))
    }
    val arrivals = Vector.tabulate(length) { t =>
      val at = random.nextInt(rates.sum)
      val input = rates.scanLeft(0)(_ + _).lastIndexWhere(_ <= at)
      val row = Array.fill(width(input))(0L)
      row(0) = t.toLong
      g.toParents(input).map(g.edges(_).childColumn).distinct.foreach(c => row(c) = key(input, c))
      g.toChildren(input).map(g.edges(_)).foreach { e =>
        val near = fresh(e.child)(e.childColumn) + lag + random.nextInt(2 * spread) - spread
        row(e.parentColumn) = if (random.nextInt(30) == 0) NoValue else math.max(near, 0L)
      }
      StreamArrival(input, row.toVector, passes = random.nextInt(5) > 0)
    }
    val windows = Vector.fill(n)(if (random.nextInt(3) == 0) None else Some(1 + random.nextInt(30)))
    ManyOneCase(g, arrivals, windows)
  }
}
