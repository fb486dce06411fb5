package org.streamon.lab.baselines

import org.streamon.core.joins.{Bits, JoinGraph, JoinTree, Row}
import scala.collection.mutable

/** The join as a tree of two-way joins, each keeping its whole result up to date for the one above (thesis,
  * Section 5.1.2): no work is repeated, but subresults have to be stored and maintained. The baseline that
  * MJoins are measured against, and what Spark does with a tree of stream-stream joins.
  *
  * @param residuals
  *   the graph's residual predicates, as for [[InMemorySynopses]]
  * @throws IllegalArgumentException
  *   when the tree does not join each input once, or needs a Cartesian product
  */
final class XJoin(
    graph: JoinGraph,
    tree: JoinTree,
    residuals: IndexedSeq[IndexedSeq[Row] => Boolean] = Vector()
) extends ElementJoin {
  private type Composite = IndexedSeq[Row]

  require(
    residuals.size == graph.residuals.size,
    s"${residuals.size} residual predicates: the join graph has ${graph.residuals.size}"
  )

  private var lookUps = 0L
  private var matched = 0L
  private var stored = 0L
  private var maintained = 0L
  private val root = build(tree)
  require(tree.inputs == graph.everyInput, s"$tree: expected all inputs 0 to ${graph.n - 1}")

  /** Look-ups in windows and subresults. */
  def probes: Long = lookUps

  /** Tuples found by look-ups. */
  def rowsRead: Long = matched

  /** Tuples of subresults that are stored now; windows and results do not count. */
  def materialized: Long = stored

  /** Tuples put into and taken out of subresults so far. */
  def maintenance: Long = maintained

  override def insert(input: Int, row: Row)(emit: IndexedSeq[Row] => Unit): Unit =
    if (graph.accepts(input, row)) root.process(input, row, 1).foreach(emit)

  override def delete(input: Int, row: Row)(emit: IndexedSeq[Row] => Unit): Unit =
    if (graph.accepts(input, row)) root.process(input, row, -1).foreach(emit)

  /** Part of the tree: what changes in its result when a row enters (+1) or leaves (-1) a window. */
  private sealed abstract class Part(val inputs: Long) {
    def process(input: Int, row: Row, change: Int): Seq[Composite]
  }

  private final class Window(input: Int) extends Part(1L << input) {
    def process(input: Int, row: Row, change: Int): Seq[Composite] =
      Seq(Vector.fill(graph.n)(null).updated(input, row))
  }

  private final class TwoWay(left: Part, right: Part) extends Part(left.inputs | right.inputs) {
    private val classes = Bits.members(JoinTree.shared(graph, left.inputs, right.inputs))
    private val due = graph.residuals.indices.filter { k =>
      val needs = graph.residuals(k)
      (needs & ~inputs) == 0L && (needs & ~left.inputs) != 0L && (needs & ~right.inputs) != 0L
    }
    private val leftSide = new Side(left, classes)
    private val rightSide = new Side(right, classes)

    def process(input: Int, row: Row, change: Int): Seq[Composite] = {
      val (own, other) =
        if (Bits.contains(left.inputs, input)) (leftSide, rightSide) else (rightSide, leftSide)
      own.part.process(input, row, change).flatMap { delta =>
        own.update(delta, change)
        other.matches(own.key(delta)).map(merge(delta, _)).filter(whole => due.forall(satisfies(_, whole)))
      }
    }

    private def merge(a: Composite, b: Composite): Composite =
      a.indices.map(i => if (a(i) == null) b(i) else a(i))

    private def satisfies(k: Int, whole: Composite): Boolean =
      residuals(k)(whole.indices.map(i => if (Bits.contains(graph.residuals(k), i)) whole(i) else null))
  }

  /** What one side of a two-way join keeps: its tuples by key, with their number. */
  private final class Side(val part: Part, classes: IndexedSeq[Int]) {
    private val isSubresult = Bits.size(part.inputs) > 1
    private val tuples = mutable.Map.empty[Seq[Any], mutable.Map[Composite, Int]]
    private val columns = classes.map { c =>
      val holder = Bits.members(part.inputs & graph.classes(c).holders).head
      (holder, graph.classes(c).column(holder))
    }

    def key(tuple: Composite): Seq[Any] = columns.map { case (i, column) => tuple(i)(column) }

    def matches(key: Seq[Any]): Seq[Composite] = {
      lookUps += 1
      val found =
        tuples.get(key).fold(Seq.empty[Composite])(_.toSeq.flatMap { case (tuple, k) => Seq.fill(k)(tuple) })
      matched += found.size
      found
    }

    def update(tuple: Composite, change: Int): Unit = {
      val bucket = tuples.getOrElseUpdate(key(tuple), mutable.Map.empty)
      val count = bucket.getOrElse(tuple, 0) + change
      require(count >= 0, s"delete ${tuple.filter(_ != null)}: not in its window")
      if (count == 0) bucket.remove(tuple) else bucket.update(tuple, count)
      if (bucket.isEmpty) tuples.remove(key(tuple))
      if (isSubresult) {
        stored += change
        maintained += 1
      }
    }
  }

  private def build(tree: JoinTree): Part = tree match {
    case JoinTree.Leaf(input)       => new Window(input)
    case JoinTree.Node(left, right) =>
      require((left.inputs & right.inputs) == 0L, s"$tree: expected each input once")
      require(
        JoinTree.shared(graph, left.inputs, right.inputs) != 0L,
        s"$tree: no equality between $left and $right; join another input first"
      )
      new TwoWay(build(left), build(right))
  }
}
