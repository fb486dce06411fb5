package org.streamon.core.caching

import org.streamon.core.joins.{Bits, JoinGraph}

/** All places for caches in pipelines of given orders (thesis, Sections 5.4.1 and 5.7). */
private[core] final class Candidates(graph: JoinGraph, pipelines: IndexedSeq[Array[Int]]) {

  /** Whether the windows' own pipelines join them with each other first: then all updates to their join are
    * computed anyway.
    */
  def prefixInvariant(windows: Long): Boolean = Bits.members(windows).forall { l =>
    Bits.of(pipelines(l).take(Bits.size(windows) - 1)) == (windows & ~(1L << l))
  }

  /** Those under the prefix invariant; of one operator there is none. */
  def prefix: Seq[Candidate] =
    segments.filter(s => prefixInvariant(s.subresult)).map(s => s.candidate(s.subresult))

  /** Besides the candidates under the prefix invariant so many globally-consistent ones that there are `most`
    * in all: those of all windows but one first, then of all but two, and so on. None that would be wrong.
    */
  def global(most: Int): Seq[Candidate] = {
    val invariant = prefix
    val others = segments
      .filter(s => !prefixInvariant(s.subresult) && graph.connects(s.subresult))
      .sortBy(-_.windows.size)
      .view
      .map(s => s.candidate(maintaining(s.subresult)))
      .filter(sound)
    invariant ++ others.take(most - invariant.size)
  }

  private final class Segment(pipeline: Int, from: Int, to: Int) {
    val windows: Vector[Int] = pipelines(pipeline).slice(from, to + 1).toVector
    val subresult: Long = Bits.of(windows)
    private val before = pipeline +: pipelines(pipeline).take(from).toVector

    def candidate(maintaining: Long): Candidate =
      Candidate(
        pipeline,
        from,
        to,
        windows,
        Bits.of(before.tail),
        classesOf(before) & classesOf(windows),
        maintaining
      )
  }

  private def segments: Seq[Segment] = for {
    i <- 0 until graph.n
    from <- 0 until graph.n - 1
    to <- from + 1 until graph.n - 1
  } yield new Segment(i, from, to)

  /** The fewest windows that contain a subresult and satisfy the prefix invariant; all of them always do. */
  private def maintaining(subresult: Long): Long =
    invariantSets.find(Bits.includes(_, subresult)).getOrElse(graph.everyInput)

  /** From the smallest. */
  private lazy val invariantSets: Seq[Long] =
    pipelines.indices
      .flatMap(l => (2 until graph.n).map(size => Bits.of(l +: pipelines(l).take(size - 1).toSeq)))
      .distinct
      .filter(prefixInvariant)
      .sortBy(Bits.size)

  /** Where the pipeline's own window is in Y nobody adds the tuples that a new row of it would support. They
    * are there already when all that leads from the row to X and Y is the key (digest of Section 5.7, rule
    * 2).
    */
  private def sound(c: Candidate): Boolean = !c.supportsItself || {
    val own = graph.classesOf(c.pipeline)
    val others = c.maintaining & ~(1L << c.pipeline)
    def isKey(classes: Long) = Bits.includes(c.classes, classes)
    isKey(own & classesOf(Bits.members(others))) && Bits.includes(own, c.classes) &&
    !graph.residuals.exists(r => Bits.contains(r, c.pipeline) && (r & others) != 0L)
  }

  private def classesOf(windows: Seq[Int]): Long =
    windows.foldLeft(0L)((set, i) => set | graph.classesOf(i))
}
