package org.streamon.core.caching

/** Tells how often a cache that is not there would miss: a direct-mapped table like its own, of nothing but
  * hashes, past which the keys of its probes are led while statistics are gathered. As a cache doubles its
  * table when a quarter of it is full, the estimator halves the share of the keys that it looks at, by their
  * hashes, and each miss counts for as many more (Waldspurger et al., FAST 2015: SHARDS).
  *
  * The thesis counts the bits that a window of probes sets in a Bloom filter (Section 5.4.2). That estimate
  * is up to 37 % low with as many bits as probes, forgets with each window what a cache would still hold, and
  * knows nothing of collisions. This one keeps what it has seen from phase to phase. It errs the other way:
  * keys that a phase sees for the first time count as misses, though a cache that had been there would have
  * them, so that with many keys it takes some phases to tell.
  *
  * @param buckets
  *   a power of two; with fewer it looks at fewer keys, and takes more probes to tell. With none it takes no
  *   probes, and never tells.
  */
private[core] final class MissEstimator(private var buckets: Int = MissEstimator.MostBuckets) {
  import MissEstimator._

  private var marks = new Array[Int](buckets)
  private var present = 0

  /** It looks at one key in two to the power of this. When that is as small as it gets, the table stands for
    * one as large as a cache's can be.
    */
  private var halvings = 0
  private var misses, probes = 0L

  def observe(key: Array[Long], length: Int): Unit = {
    val hash = SubresultCache.hash(key, length)
    val mark = hash.toInt | 1
    if (isSampled(mark)) {
      val bucket = SubresultCache.bucket(hash, buckets)
      if (marks(bucket) != mark) {
        if (probes >= Filling) misses += 1L << halvings
        if (marks(bucket) == 0) present += 1
        marks(bucket) = mark
        thin()
      }
    }
    probes += 1
  }

  /** Halves its buckets while it takes more bytes than that, and has more than the least. */
  def shrink(most: Long): Unit = while (bytes > most && buckets > LeastBuckets) {
    buckets /= 2
    // A bucket is told by the highest bits of the hash: two that are next to each other become one.
    val before = marks
    marks = Array.tabulate(buckets)(b => if (before(2 * b) != 0) before(2 * b) else before(2 * b + 1))
    present = marks.count(_ != 0)
    thin()
  }

  def isEmpty: Boolean = buckets == 0

  def bytes: Long = if (isEmpty) 0L else bytesOf(buckets)

  /** Keys that a cache would hold by now. */
  def keys: Long = present.toLong << halvings

  private def isSampled(mark: Int) = (mark >>> 1 & (1 << halvings) - 1) == 0

  private def thin(): Unit = if (
    4 * present >= buckets && (buckets << halvings) < SubresultCache.MostBuckets
  ) {
    halvings += 1
    present = 0
    var b = 0
    while (b < buckets) {
      if (marks(b) != 0 && isSampled(marks(b))) present += 1 else marks(b) = 0
      b += 1
    }
  }

  /** What it was when it began to count anew. */
  private var before = Double.NaN

  /** Share of the probes that miss, 0 to 1; NaN before there ever were enough. */
  def missProbability: Double =
    if (!are(Least)) before else math.min(misses.toDouble / (probes - Filling), 1.0)

  /** Whether there are enough probes to tell well, or never will be. */
  def isComplete: Boolean = isEmpty || are(Enough)

  /** Whether it still takes probes: more would cost more than they tell. */
  def isOpen: Boolean = !isEmpty && !are(math.max(2L * buckets, Enough))

  /** Whether there are so many probes of keys that it looks at. */
  private def are(sampled: Long) = probes >= Filling + (sampled << halvings)

  /** Counts anew. What was seen stays, as it would in a cache. */
  def begin(): Unit = if (are(Least)) {
    before = missProbability
    misses = 0L
    probes = 0L
  }
}

private[core] object MissEstimator {
  val MostBuckets: Int = 1 << 12

  /** That of a candidate for which there is no memory; takes none. */
  val none: MissEstimator = new MissEstimator(0)

  /** With fewer it would look at too few keys to tell. */
  val LeastBuckets: Int = 1 << 9

  /** Buckets that one may have, the most first. */
  def Sizes: Iterator[Int] = Iterator.iterate(MostBuckets)(_ / 2).takeWhile(_ >= LeastBuckets)

  /** Of one with so many buckets. */
  def bytesOf(buckets: Int): Long = Overhead + 4L * buckets

  /** Bytes of the object and the array's header. */
  private val Overhead = 88L

  /** The first probes of a phase are not counted. */
  private val Filling = 128L

  /** Of these two and of the most, probes of keys that it looks at. */
  private val Least = 64L
  private val Enough = 512L
}
