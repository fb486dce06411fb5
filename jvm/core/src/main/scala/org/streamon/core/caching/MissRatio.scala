package org.streamon.core.caching

/** How often a cache in use has missed of late. */
private[core] final class MissRatio {
  import MissRatio._

  private var hits, misses = 0L
  private var last = Double.NaN
  private var isFilling = true

  /** Probability, of the probes since it was last told, if they are enough. None while the cache, which
    * starts empty, fills: as long as it misses less from one time to the next. How long that takes is not
    * known beforehand. A globally-consistent cache may make no entry for a row that leaves its window, and so
    * misses with all those that were there before it.
    */
  def miss(cache: SubresultCache): Option[Double] = {
    val (nowHits, nowMisses) = (cache.hits, cache.misses)
    val probes = nowHits + nowMisses - hits - misses
    if (nowHits + nowMisses >= math.min(2L * cache.entries, MostFilling) && probes >= Enough) {
      val now = (nowMisses - misses).toDouble / probes
      isFilling &&= last.isNaN || now < last
      last = now
      hits = nowHits
      misses = nowMisses
    }
    Option.unless(isFilling)(last)
  }
}

private[core] object MissRatio {
  private val MostFilling = 4096L
  private val Enough = 100L
}
