package org.streamon.core.caching

/** What is used, maintained and watched where, under given orders.
  *
  * @param pipelines
  *   windows by position, of each input
  */
private[core] final class CachePlan(
    val pipelines: IndexedSeq[Array[Int]],
    lookedUp: Seq[(Candidate, SharedCache)],
    maintaining: Seq[(Candidate, SharedCache)],
    watching: Seq[(Candidate, MissEstimator)]
) {

  /** The cache that is looked up at a position. */
  def used(pipeline: Int, position: Int): Option[(Candidate, SharedCache)] =
    lookedUp.find { case (c, _) => c.pipeline == pipeline && c.from == position }

  /** What is maintained by the tuples that come to a position. */
  def maintained(pipeline: Int, position: Int): Seq[SharedCache] =
    maintaining.collect {
      case (c, content) if c.maintainedAt == position && c.maintainers.contains(pipeline) => content
    }.distinct

  /** Candidates that would be looked up at a position. Never within a segment that is skipped on a hit. */
  def watched(pipeline: Int, position: Int): Seq[(Candidate, MissEstimator)] =
    watching.filter { case (c, _) => c.pipeline == pipeline && c.from == position }

  /** Caches that lose the key of a row when the last one with it leaves this input's window: nobody adds to
    * them for a row of that input.
    */
  def invalidated(input: Int): Seq[SharedCache] =
    maintaining.collect { case (c, content) if c.pipeline == input && c.supportsItself => content }.distinct
}

private object CachePlan {

  /** Before the orders are known. */
  val empty: CachePlan = new CachePlan(Vector(), Nil, Nil, Nil)
}
