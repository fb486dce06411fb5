package org.streamon.core.caching

/** Tells how often a cache that is not there would miss: a direct-mapped table like its own, of nothing but
  * hashes, past which the keys of its probes are led.
  *
  * The thesis counts the bits that a window of probes sets in a Bloom filter (Section 5.4.2). That estimate
  * is up to 37 % low with as many bits as probes; it forgets with each window what a cache would still hold,
  * and knows nothing of collisions in a direct-mapped cache. This one has none of these faults: after the
  * first probes, which fill it, it misses when the cache would.
  */
private[core] final class MissFilter {
  import MissFilter._

  private val hashes = new Array[Long](Buckets)
  private var warmUp = 0
  private var hits = 0L
  private var probes = 0L
  private var occupied = 0

  def observe(key: Array[Long], length: Int): Unit = {
    val hash = SubresultCache.hash(key, length) | 1L
    val bucket = (hash >>> 1).toInt & Buckets - 1
    val hit = hashes(bucket) == hash
    if (hashes(bucket) == 0L) occupied += 1
    hashes(bucket) = hash
    if (warmUp < WarmUp) warmUp += 1
    else {
      probes += 1
      if (hit) hits += 1
    }
  }

  /** Share of the probes that miss, 0 to 1; NaN before there are enough. */
  def missProbability: Double = if (!isComplete) Double.NaN else 1.0 - hits.toDouble / probes

  /** Different keys seen; at most as many as it has buckets. */
  def distinct: Int = {
    // Of keys in so many buckets some met: the estimate of linear counting.
    val empty = math.max(Buckets - occupied, 1).toDouble / Buckets
    (-Buckets * math.log(empty)).toInt
  }

  /** Whether there are enough probes to tell. */
  def isComplete: Boolean = probes >= Enough

  /** Counts anew, once there was enough to tell. What was seen stays, as it would in a cache. */
  def begin(): Unit = if (isComplete) {
    hits = 0L
    probes = 0L
  }
}

private[core] object MissFilter {
  private val Buckets = 1 << 13

  /** Probes that fill it, and probes that are enough to tell. */
  private val WarmUp = 256
  private val Enough = 64L
}
