package org.streamon.core.caching

import scala.collection.mutable

/** The miss estimators of one join's candidates, in the memory that its caches share. An equal part of what
  * is left decides how many buckets one has. Where that is too little it has none, and tells nothing: a cache
  * of that candidate is taken to miss always. Where other joins profile as well, those of one join keep to
  * its fair part, so that each join has some.
  */
private[core] final class MissEstimators(memory: CacheMemory) {
  private val estimators = mutable.HashMap.empty[Candidate, MissEstimator]
  private val share = new memory.Share(() => (), profiling = true)
  private var expected = 0

  /** What they take of the memory. */
  def bytes: Long = estimators.values.map(_.bytes).sum

  /** That of a candidate, if it has one. */
  def get(candidate: Candidate): Option[MissEstimator] = estimators.get(candidate)

  /** That of a candidate, made if there is none. */
  def apply(candidate: Candidate): MissEstimator = estimators.getOrElseUpdate(candidate, create())

  /** Only these candidates are still watched, now or later. */
  def retain(candidates: Set[Candidate]): Unit = {
    expected = candidates.size
    estimators.filterInPlace((c, _) => candidates(c))
    share.release(bytes)
  }

  /** They count anew, and give back what has become more than their part. Those without memory may have some
    * by now.
    */
  def begin(): Unit = {
    estimators.filterInPlace((_, estimator) => !estimator.isEmpty)
    estimators.values.foreach { estimator =>
      estimator.shrink(fairBytes)
      estimator.begin()
    }
    share.release(bytes)
  }

  /** Gives back all memory, for good. */
  def close(): Unit = {
    estimators.clear()
    share.close()
  }

  private def create(): MissEstimator = {
    val taken = bytes
    val part = (share.mostForProfiling - taken) / math.max(expected - estimators.size, 1)
    MissEstimator.Sizes.find(MissEstimator.bytesOf(_) <= math.min(part, fairBytes)) match {
      case Some(buckets) if share.grow(taken + MissEstimator.bytesOf(buckets)) => new MissEstimator(buckets)
      case _                                                                   => MissEstimator.none
    }
  }

  /** Of the fair part of this join that of one estimator, which is one at least. */
  private def fairBytes: Long =
    math.max(
      share.fairForProfiling / math.max(expected, 1),
      MissEstimator.bytesOf(MissEstimator.LeastBuckets)
    )
}
