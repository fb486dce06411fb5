package org.streamon.lab.baselines.constraints

/** Finds the results with one tuple of a root that is in Yes: it is joined with the Yes parts of all other
  * inputs (thesis, Section 6.4.2), outwards from the root by a nested loop. Allocates nothing a tuple.
  */
private[constraints] final class ResultGeneration(
    graph: DirectedJoinGraph,
    root: Int,
    parts: Array[Components]
) extends JoinResult {
  private val path = graph.edgesFrom(root).toArray
  private val from, to = new Array[Int](path.length)
  private val joined = new Array[Int](graph.n)
  private val cursors = new Array[Int](path.length)

  path.indices.foldLeft(Set(root)) { (reached, k) =>
    val e = graph.edges(path(k))
    from(k) = if (reached(e.parent)) e.parent else e.child
    to(k) = e.other(from(k))
    reached + to(k)
  }

  def value(input: Int, column: Int): Long = {
    val position = parts(input).position(column)
    require(position >= 0, s"column $column of input $input is neither joined nor projected")
    parts(input).live.value(joined(input), position)
  }

  /** @param slot
    *   of the root's tuple; it need not have entered
    */
  def foreach(slot: Int, sink: ResultSink): Unit = {
    joined(root) = slot
    var depth = 0
    cursors(0) = first(0)
    while (depth >= 0) {
      val at = cursors(depth)
      if (at == End) {
        depth -= 1
        if (depth >= 0) advance(depth)
      } else {
        joined(to(depth)) = at
        if (depth + 1 < path.length) {
          depth += 1
          cursors(depth) = first(depth)
        } else {
          sink.added(this)
          advance(depth)
        }
      }
    }
  }

  private def first(depth: Int): Int = {
    val key = parts(from(depth)).key(joined(from(depth)), path(depth))
    yes(depth, parts(to(depth)).findLive(path(depth), key))
  }

  private def advance(depth: Int): Unit =
    cursors(depth) = yes(depth, parts(to(depth)).nextLive(path(depth), cursors(depth)))

  private def yes(depth: Int, start: Int): Int = {
    val there = parts(to(depth))
    var slot = start
    while (slot != End && there.live.part(slot) != Part.Yes) slot = there.nextLive(path(depth), slot)
    slot
  }
}
