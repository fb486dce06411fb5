package org.streamon.core.caching

/** Tells how often a cache that is not there would miss: a direct-mapped table like its own, of nothing but
  * hashes, past which the keys of its probes are led while statistics are gathered.
  *
  * The thesis counts the bits that a window of probes sets in a Bloom filter (Section 5.4.2). That estimate
  * is up to 37 % low with as many bits as probes, forgets with each window what a cache would still hold, and
  * knows nothing of collisions. This one keeps what it has seen from phase to phase. It errs the other way:
  * keys that a phase sees for the first time count as misses, though a cache that had been there would have
  * them, so that with many keys it takes some phases to tell.
  */
private[core] final class MissFilter {
  import MissFilter._

  private val hashes = new Array[Int](Buckets)
  private var hits, probes = 0L

  def observe(key: Array[Long], length: Int): Unit = {
    val hash = SubresultCache.hash(key, length)
    val bucket = hash.toInt & Buckets - 1
    val mark = (hash >>> 32).toInt | 1
    if (hashes(bucket) == mark && probes >= Filling) hits += 1
    hashes(bucket) = mark
    probes += 1
  }

  /** What it was when it began to count anew. */
  private var before = Double.NaN

  /** Share of the probes that miss, 0 to 1; NaN before there ever were enough. */
  def missProbability: Double =
    if (probes < Filling + Least) before else 1.0 - hits.toDouble / (probes - Filling)

  /** Whether there are enough probes to tell well. */
  def isComplete: Boolean = probes >= Filling + Enough

  /** Whether it still takes probes: more would cost more than they tell. */
  def isOpen: Boolean = probes < Most

  /** Counts anew. What was seen stays, as it would in a cache. */
  def begin(): Unit = if (probes >= Filling + Least) {
    before = missProbability
    hits = 0L
    probes = 0L
  }
}

private[core] object MissFilter {
  private val Buckets = 1 << 12

  /** The first probes of a phase are not counted. */
  private val Filling = 128L
  private val Least = 64L
  private val Enough = 512L
  private val Most = 2L * Buckets
}
