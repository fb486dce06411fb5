package org.streamon.core.caching

/** How often a cache in use has missed of late. */
private[core] final class MissRatio {
  import MissRatio._

  private var hits, misses = 0L
  private var last = Double.NaN

  /** Probability, of the probes since it was last told, if they are enough. None while the cache, which
    * starts empty, fills.
    */
  def miss(cache: SubresultCache): Option[Double] = {
    val (nowHits, nowMisses) = (cache.hits, cache.misses)
    val probes = nowHits + nowMisses - hits - misses
    if (nowHits + nowMisses >= math.min(2L * cache.entries, MostFilling) && probes >= Enough) {
      last = (nowMisses - misses).toDouble / probes
      hits = nowHits
      misses = nowMisses
    }
    Option.when(!last.isNaN)(last)
  }
}

private[core] object MissRatio {
  private val MostFilling = 4096L
  private val Enough = 100L
}
