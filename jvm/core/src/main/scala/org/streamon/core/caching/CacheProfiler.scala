package org.streamon.core.caching

import java.util.random.RandomGenerator
import org.streamon.core.joins.{Bits, JoinGraph}

/** The Profiler: what pipelines cost, how many elements each input has, and how often caches would miss, or
  * do (thesis, Section 5.4.2). Gathered at the beginning of each interval.
  *
  * @param memory
  *   for the filters that tell how often caches would miss
  * @param batches
  *   whether elements come in batches, input by input
  */
private[core] final class CacheProfiler(
    graph: JoinGraph,
    settings: CacheSettings,
    memory: CacheMemory,
    random: RandomGenerator,
    batches: Boolean
) {
  import CacheProfiler._

  /** How often candidates would miss. */
  val filters: MissFilters = new MissFilters(memory)

  private val pipelines = Array.fill(graph.n)(unknown)
  private val due = new Array[Long](graph.n)
  private val arrivals = new Array[Long](graph.n)

  /** Arrivals when the shares were last asked for, and the shares then. */
  private val asked = new Array[Long](graph.n)
  private var usual = Array.empty[Double]
  private val batch = new BatchArrivals(graph.n)

  /** The shares by which caches were last chosen, and the elements of a batch then. */
  private var settled = Array.empty[Double]
  private val assumed = new Array[Long](graph.n)
  private var elapsed = 0L

  def statistics: IndexedSeq[PipelineStatistics] = pipelines.toVector

  /** Elements since the phase began. */
  def elements: Long = elapsed

  def arrived(input: Int): Unit = {
    arrivals(input) += 1
    elapsed += 1
    if (batches) batch.arrived(input)
  }

  def batchEnded(): Unit = batch.end()

  /** Begins to gather anew. Of a batch that has begun the inputs that came before count. */
  def begin(): Unit = {
    elapsed = 0L
    for (i <- arrivals.indices) arrivals(i) = batch(i)
    java.util.Arrays.fill(asked, 0L)
    for (i <- due.indices) due(i) = pipelines(i).observations + settings.window
    filters.begin()
  }

  /** Forgets what a pipeline cost: it has another order. */
  def forget(input: Int): Unit = {
    pipelines(input) = unknown
    due(input) = settings.window.toLong
  }

  /** Whether a row that arrives is to be profiled. The first one is, of a pipeline that nothing is known of:
    * no other may come.
    */
  def isSampled(input: Int): Boolean =
    isOpen(input) && (pipelines(input).observations == 0 || random.nextInt(Sampling) == 0)

  /** Whether there is enough to estimate the candidates by, in the pipelines of some inputs: of those and of
    * misses that are seldom met, what a part of an interval brings.
    */
  def isComplete(inputs: Seq[Int], watched: Iterable[Candidate]): Boolean =
    isKnown && (elapsed >= settings.interval / LongestPhase ||
      inputs.forall(!isOpen(_)) &&
      watched.forall(c => !inputs.contains(c.pipeline) || filters(c).isComplete))

  /** By these rates caches are chosen now. */
  def settle(): Unit = {
    settled = Array.tabulate(graph.n)(rate)
    for (i <- assumed.indices) assumed(i) = batch.foreseen(i)
  }

  /** Whether a batch, foreseen not to be small, brings more than twice as much of an input as when caches
    * were chosen, or less than half, so that its share is another. So they are chosen few times in one batch.
    */
  def surges: Boolean = settled.nonEmpty && batch.canForesee && {
    val sum = settled.indices.map(batch.foreseen).sum
    def isOther(i: Int) = batch.foreseen(i) > 2 * assumed(i) || 2 * batch.foreseen(i) < assumed(i)
    sum >= settings.interval / 2 &&
    settled.indices.exists(i =>
      isOther(i) && differs(batch.foreseen(i).toDouble / sum, settled(i))
    ) && isKnown
  }

  /** Whether inputs have other shares of the elements than when it was last asked. */
  def hasShifted: Boolean = {
    val recent = Array.tabulate(graph.n)(i => (arrivals(i) - asked(i)).toDouble)
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
  def rate(input: Int): Double = {
    def foreseen(i: Int) = arrivals(i) + batch.missing(i)
    val sum = arrivals.indices.map(foreseen).sum
    if (sum == 0) 0.0 else foreseen(input).toDouble / sum
  }

  /** @param miss
    *   probability
    */
  def costs(c: Candidate, order: Array[Int], miss: Double): CacheCosts =
    CacheCosts.of(graph, c, readyAt(c, order), rate, pipelines, miss, settings.costs)

  /** What an operator costs without a cache, for each element of the join. */
  def operator(pipeline: Int, position: Int): Double = rate(pipeline) * pipelines(pipeline).nanos(position)

  private def readyAt(c: Candidate, order: Array[Int]): Int =
    (0 to c.from).find { q =>
      val held = order.take(q).foldLeft(graph.classesOf(c.pipeline))((set, w) => set | graph.classesOf(w))
      Bits.includes(held, c.classes)
    }.get

  /** Whether of all inputs rows were measured, but for those with so few that it does not matter. */
  private def isKnown =
    !arrivals.indices.exists(i => pipelines(i).observations == 0 && rate(i) > 1.0 / NegligibleShare)

  private def isOpen(input: Int) = pipelines(input).observations < due(input)

  private def unknown = new PipelineStatistics(graph.n - 1, graph.residuals.size, settings.window)
}

private[core] object CacheProfiler {

  /** One row in so many is profiled, while statistics are gathered, beside the first. */
  private val Sampling = 16

  /** Statistics are gathered for one part in so many of an interval, at most. */
  val LongestPhase = 3

  /** One part in so many. */
  private val NegligibleShare = 100
}
