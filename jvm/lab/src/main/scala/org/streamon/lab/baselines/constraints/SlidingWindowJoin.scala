package org.streamon.lab.baselines.constraints

/** The baseline that k-Mon is compared with (thesis, Section 6.11: SWJ): the same join of the same windows,
  * from which filters only keep tuples out. It knows nothing of many-one joins or constraints.
  *
  * Tuples are laid out as k-Mon's are, and like those know when they expire; so the placeholders of the
  * thesis's SWJ, for rows that fail a filter but count in a window of rows, are not needed.
  *
  * @param projected
  *   by input: the columns that results show, beside the joined ones
  */
final class SlidingWindowJoin(
    graph: DirectedJoinGraph,
    projected: IndexedSeq[Seq[Int]],
    sink: ResultSink
) extends WindowJoin {
  private val parts =
    Array.tabulate(graph.n)(i => new Components(graph, i, projected(i), marked = false))
  private val generations = Array.tabulate(graph.n)(new ResultGeneration(graph, _, parts))

  override def arrive(input: Int, row: Array[Long], passes: Boolean, order: Long): Unit = if (passes) {
    val slot = parts(input).store(row, order)
    generations(input).foreach(slot, sink)
    parts(input).live.enter(slot, Part.Yes)
  }

  override def expire(input: Int, through: Long): Unit = {
    val live = parts(input).live
    while (live.oldest != End && live.order(live.oldest) <= through) parts(input).removeLive(live.oldest)
  }

  override def expireKey(input: Int, column: Int, value: Long): Unit =
    parts(input).expireKey(column, value)(parts(input).removeLive(_))

  override def tuples: Int = parts.map(_.live.size).sum

  override def bytes: Long = parts.map(_.live.bytes).sum

  override def k(constraint: KConstraint): Long =
    throw new NoSuchElementException(s"$constraint: this join has no constraints")
}
