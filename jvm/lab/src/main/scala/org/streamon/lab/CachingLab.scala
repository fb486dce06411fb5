package org.streamon.lab

/** The experiments of the thesis's Chapter 5: subresult caches in MJoins. */
private[lab] object CachingLab extends Lab {
  val name = "caching"

  val experiments: Seq[Experiment] = Seq(
    CacheHits,
    CachedSelectivity,
    CacheMaintenance,
    CachedNWay,
    CachedNestedLoop,
    PlanSpace,
    CacheBurst,
    CacheMemoryLadder
  )
}
