package org.streamon.lab.baselines.constraints

import org.streamon.core.joins.Bits

/** Many-one joins that make a tree when their direction is left out: the thesis's DT-shaped graphs (Section
  * 6.3). Where several parents join one column of a child that is two edges; the equality between the parents
  * that follows is none.
  *
  * @param n
  *   inputs, 2 to 64
  * @param edges
  *   n - 1 of them
  * @throws IllegalArgumentException
  *   when an argument is outside what is allowed, or the edges do not make a tree
  */
final class DirectedJoinGraph(val n: Int, val edges: IndexedSeq[ManyOne]) extends Serializable {
  require(n >= 2 && n <= 64, s"n = $n: allowed are 2 to 64 inputs")
  edges.foreach { e =>
    require(
      inside(e.parent) && inside(e.child) && e.parent != e.child,
      s"$e: expected two different inputs of 0 to ${n - 1}"
    )
    require(e.parentColumn >= 0 && e.childColumn >= 0, s"$e: columns count from 0")
  }
  require(
    edges.size == n - 1 && Bits.connect(edges.map(e => 1L << e.parent | 1L << e.child), everyInput),
    s"joins ${edges.mkString(", ")} of $n inputs: expected a tree, that is ${n - 1} joins that connect them"
  )

  /** By input: its edges to children, and those to parents. */
  val toChildren: IndexedSeq[IndexedSeq[Int]] = byInput(_.parent)
  val toParents: IndexedSeq[IndexedSeq[Int]] = byInput(_.child)

  /** Inputs without parents, as bits. In a tree they are the only minimal cover: all others, and only they,
    * can be reached from them.
    */
  val roots: Long = Bits.where(n)(toParents(_).isEmpty)

  /** The inputs of G_S, S among them, as bits: all that a tuple of S needs to be in a result. */
  def reachable(input: Int): Long =
    toChildren(input).foldLeft(1L << input)((set, e) => set | reachable(edges(e).child))

  def isRoot(input: Int): Boolean = Bits.contains(roots, input)

  /** Whether one input alone is a cover. */
  val singleRoot: Boolean = Bits.size(roots) == 1

  def parents(input: Int): Long = Bits.of(toParents(input).map(edges(_).parent))

  /** Whether its parents are the roots, all of them. Only then can tuples that are not dead be known to be of
    * no more use (Theorem 6.7.1, whose condition asks for a minimal cover among the parents).
    */
  def belowAllRoots(input: Int): Boolean = parents(input) == roots

  /** An input's columns of the joins with its parents: what its dead tuples are known by. */
  def keyColumns(input: Int): IndexedSeq[Int] = toParents(input).map(edges(_).childColumn).distinct

  /** All columns of an input that are joined. */
  def joinColumns(input: Int): IndexedSeq[Int] =
    (toParents(input) ++ toChildren(input)).map(edges(_).columnOf(input)).distinct

  /** The edges as they lead away from an input, nearer ones first. */
  def edgesFrom(input: Int): IndexedSeq[Int] = {
    def grow(reached: Long, found: IndexedSeq[Int]): IndexedSeq[Int] = {
      val next = edges.indices.filter { e =>
        Bits.contains(reached, edges(e).parent) != Bits.contains(reached, edges(e).child)
      }
      if (next.isEmpty) found
      else
        grow(
          next.foldLeft(reached)((r, e) => r | 1L << edges(e).parent | 1L << edges(e).child),
          found ++ next
        )
    }
    grow(1L << input, Vector())
  }

  private def everyInput: Long = if (n == 64) -1L else (1L << n) - 1

  private def byInput(end: ManyOne => Int) =
    Vector.tabulate(n)(i => edges.indices.filter(e => end(edges(e)) == i))

  private def inside(input: Int) = input >= 0 && input < n
}
