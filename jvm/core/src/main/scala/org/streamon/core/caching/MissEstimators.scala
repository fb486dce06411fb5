package org.streamon.core.caching

import scala.collection.mutable

/** The miss estimators of one join's candidates, in the memory that its caches share. An equal part of what
  * is left decides how many buckets one has; where that is too little it has none, and tells nothing: a cache
  * of that candidate is taken to miss always.
  */
private[core] final class MissEstimators(memory: CacheMemory) {
  private val filters = mutable.HashMap.empty[Candidate, MissEstimator]
  private val share = new memory.Share(() => (), profiling = true)
  private var expected = 0

  /** What they take of the memory. */
  def bytes: Long = filters.values.map(_.bytes).sum

  /** That of a candidate, if it has one. */
  def get(candidate: Candidate): Option[MissEstimator] = filters.get(candidate)

  /** That of a candidate, made if there is none. */
  def apply(candidate: Candidate): MissEstimator = filters.getOrElseUpdate(candidate, create())

  /** Only these candidates are still watched, now or later. */
  def retain(candidates: Set[Candidate]): Unit = {
    expected = candidates.size
    filters.filterInPlace((c, _) => candidates(c))
    share.release(bytes)
  }

  /** They count anew. Those without memory may have some by now. */
  def begin(): Unit = {
    filters.filterInPlace((_, filter) => !filter.isEmpty)
    filters.values.foreach(_.begin())
  }

  /** Gives back all memory, for good. */
  def close(): Unit = {
    filters.clear()
    share.close()
  }

  private def create(): MissEstimator = {
    val taken = bytes
    val part = (share.mostForProfiling - taken) / math.max(expected - filters.size, 1)
    val sizes = Iterator.iterate(MissEstimator.MostBuckets)(_ / 2).takeWhile(_ >= MissEstimator.LeastBuckets)
    sizes.find(MissEstimator.bytesOf(_) <= part) match {
      case Some(buckets)
          if share.allowed >= taken + MissEstimator.bytesOf(buckets) ||
            share.grow(taken + MissEstimator.bytesOf(buckets)) =>
        new MissEstimator(buckets)
      case _ => MissEstimator.none
    }
  }
}
