package org.streamon.core.caching

/** How often a cache in use has missed of late. */
private[core] final class Observed {
  import Observed._

  private var hits = 0L
  private var misses = 0L
  private var last = Double.NaN

  /** Probability, of the probes since it was last told, if they are enough. None while the cache, which
    * starts empty, fills.
    *
    * @param keys
    *   that are expected
    */
  def miss(cache: SubresultCache, keys: Int): Option[Double] = {
    val probes = cache.hits + cache.misses
    if (probes < FillingProbes * keys) {
      hits = cache.hits
      misses = cache.misses
    } else if (probes - hits - misses >= Enough) {
      last = (cache.misses - misses).toDouble / (probes - hits - misses)
      hits = cache.hits
      misses = cache.misses
    }
    Option.when(!last.isNaN)(last)
  }
}

private[core] object Observed {

  /** For each key. */
  private val FillingProbes = 2
  private val Enough = 100L
}
