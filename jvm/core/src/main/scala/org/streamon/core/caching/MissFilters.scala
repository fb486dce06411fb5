package org.streamon.core.caching

import scala.collection.mutable

/** The miss filters of one join's candidates, in the memory that its caches share. An equal part of what is
  * left decides how many buckets one has; where that is too little it has none, and tells nothing: a cache of
  * that candidate is taken to miss always.
  */
private[core] final class MissFilters(memory: CacheMemory) {
  private val filters = mutable.HashMap.empty[Candidate, MissFilter]
  private val share = new memory.Share(() => (), profiling = true)
  private var expected = 0

  /** What they take of the memory. */
  def bytes: Long = filters.values.map(_.bytes).sum

  /** That of a candidate, if it has one. */
  def get(candidate: Candidate): Option[MissFilter] = filters.get(candidate)

  /** That of a candidate, made if there is none. */
  def apply(candidate: Candidate): MissFilter = filters.getOrElseUpdate(candidate, create())

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

  private def create(): MissFilter = {
    val taken = bytes
    val part = (share.mostForProfiling - taken) / math.max(expected - filters.size, 1)
    val sizes = Iterator.iterate(MissFilter.MostBuckets)(_ / 2).takeWhile(_ >= MissFilter.LeastBuckets)
    sizes.find(MissFilter.bytesOf(_) <= part) match {
      case Some(buckets)
          if share.allowed >= taken + MissFilter.bytesOf(buckets) ||
            share.grow(taken + MissFilter.bytesOf(buckets)) =>
        new MissFilter(buckets)
      case _ => MissFilter.none
    }
  }
}
