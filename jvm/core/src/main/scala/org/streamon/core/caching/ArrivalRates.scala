package org.streamon.core.caching

/** How many elements of a join come from each input, and whether that changes.
  *
  * @param n
  *   inputs
  * @param batches
  *   whether elements come in batches, input by input: then rates are those of whole batches
  */
private[core] final class ArrivalRates(n: Int, settings: CacheSettings, batches: Boolean) {
  private val arrivals = new Array[Long](n)
  private val batch = new BatchArrivals(n)
  private var elapsed = 0L

  /** Arrivals when the shares were last asked for, and the shares then. */
  private val asked = new Array[Long](n)
  private var usual = Array.empty[Double]

  /** The shares by which caches were last chosen, and the elements of a batch then. */
  private var settled = Array.empty[Double]
  private val assumed = new Array[Long](n)

  /** Elements since the phase began. */
  def elements: Long = elapsed

  def arrived(input: Int): Unit = {
    arrivals(input) += 1
    elapsed += 1
    if (batches) batch.arrived(input)
  }

  def batchEnded(): Unit = batch.end()

  /** Begins to count anew. Of a batch that has begun the inputs that came before count. */
  def begin(): Unit = {
    elapsed = 0L
    for (i <- arrivals.indices) arrivals(i) = batch(i)
    java.util.Arrays.fill(asked, 0L)
  }

  /** By these rates caches are chosen now. */
  def settle(): Unit = {
    settled = Array.tabulate(n)(share)
    for (i <- assumed.indices) assumed(i) = batch.foreseen(i)
  }

  /** Whether a batch, foreseen not to be small, brings more than twice as much of an input as when caches
    * were chosen, or less than half, so that its share is another. So they are chosen few times in one batch.
    */
  def surges: Boolean = settled.nonEmpty && batch.canForesee && {
    val sum = settled.indices.map(batch.foreseen).sum
    def isOther(i: Int) = batch.foreseen(i) > 2 * assumed(i) || 2 * batch.foreseen(i) < assumed(i)
    sum >= settings.interval / 2 &&
    settled.indices.exists(i => isOther(i) && differs(batch.foreseen(i).toDouble / sum, settled(i)))
  }

  /** Whether inputs have other shares of the elements than when it was last asked. */
  def hasShifted: Boolean = {
    val recent = Array.tabulate(n)(i => (arrivals(i) - asked(i)).toDouble)
    val sum = recent.sum
    val enough = sum >= settings.interval / 2
    val shifted = enough && usual.nonEmpty && recent.indices.exists(i => differs(recent(i) / sum, usual(i)))
    if (enough) {
      usual = recent.map(_ / sum)
      System.arraycopy(arrivals, 0, asked, 0, asked.length)
    }
    shifted
  }

  private def differs(share: Double, before: Double) = math.abs(share - before) > settings.change / 2

  /** An input's share of the elements, those foreseen of a batch among them. */
  def share(input: Int): Double = {
    def foreseen(i: Int) = arrivals(i) + batch.missing(i)
    val sum = arrivals.indices.map(foreseen).sum
    if (sum == 0) 0.0 else foreseen(input).toDouble / sum
  }
}
