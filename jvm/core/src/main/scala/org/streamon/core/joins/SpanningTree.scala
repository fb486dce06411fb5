package org.streamon.core.joins

/** A spanning tree of a join graph, seen from its root.
  *
  * @param parents
  *   by input; -1 for the root
  * @param weight
  *   the classes shared across its edges, summed
  */
final class SpanningTree private (val root: Int, val parents: IndexedSeq[Int], val weight: Int) {

  /** The inputs on the way from the root to `input`, without the root. */
  def path(input: Int): List[Int] = {
    def climb(j: Int, below: List[Int]): List[Int] = if (j == root) below else climb(parents(j), j :: below)
    climb(input, Nil)
  }

  /** Edges from the root, by input. */
  def depths: IndexedSeq[Int] = parents.indices.map(path(_).size)
}

object SpanningTree {

  /** The spanning tree by which rows of `root` reach the other windows. The thesis does not say which to
    * choose for a cyclic graph. This one shares the most classes across its edges (Prim's algorithm), which
    * leaves the fewest predicates to be enforced beside it, and none when the graph is acyclic; among equals
    * an input hangs as near to the root as it can, and then from the input with the lowest number. So for one
    * key class all others hang from the root.
    *
    * @throws IllegalArgumentException
    *   when the graph is not connected
    */
  def of(graph: JoinGraph, root: Int): SpanningTree = {
    require(
      graph.connected,
      "join graph not connected: a spanning tree needs a way from any input to any other"
    )
    val parents = Array.fill(graph.n)(-1)
    val depths = new Array[Int](graph.n)
    var placed = 1L << root
    var weight = 0
    while (placed != graph.everyInput) {
      val edges = for {
        to <- 0 until graph.n if !Bits.contains(placed, to)
        from <- Bits.members(placed) if graph.shared(from, to) != 0L
      } yield (from, to)
      val (from, to) = edges.minBy { case (from, to) =>
        (-Bits.size(graph.shared(from, to)), depths(from), to, from)
      }
      parents(to) = from
      depths(to) = depths(from) + 1
      weight += Bits.size(graph.shared(from, to))
      placed |= 1L << to
    }
    new SpanningTree(root, parents.toVector, weight)
  }
}
