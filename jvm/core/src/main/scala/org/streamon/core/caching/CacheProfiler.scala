package org.streamon.core.caching

import java.util.random.RandomGenerator
import org.streamon.core.joins.{Bits, JoinGraph}
import org.streamon.core.loop.Profiler

/** The Profiler: what pipelines cost, and how often caches would miss, or do (thesis, Section 5.4.2).
  * Gathered at the beginning of each interval.
  *
  * @param memory
  *   for the estimators of how often caches would miss
  * @param batches
  *   whether elements come in batches, input by input
  */
private[core] final class CacheProfiler(
    graph: JoinGraph,
    settings: CacheSettings,
    memory: CacheMemory,
    random: RandomGenerator,
    batches: Boolean
) extends Profiler[PipelineMeter] {
  import CacheProfiler._

  val rates: ArrivalRates = new ArrivalRates(graph.n, settings, batches)

  /** How often candidates would miss. */
  val misses: MissEstimators = new MissEstimators(memory)

  private val pipelines = Array.fill(graph.n)(unknown)
  private val due = new Array[Long](graph.n)

  /** Rows that leave a window for each element: where they are elements, half of all are. */
  private val leaving = if (batches) 1.0 else 0.5

  /** What rows of one input cost. */
  def statistics(input: Int): PipelineStatistics = pipelines(input)

  /** Takes in what a row cost in the pipeline of the current plan. */
  def offer(sample: PipelineMeter): Unit =
    pipelines(sample.input).observe(sample.order, sample.executed, sample.inTurn)

  /** Begins to gather anew. */
  def begin(): Unit = {
    rates.begin()
    for (i <- due.indices) due(i) = pipelines(i).observations + settings.window
    misses.begin()
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
    isKnown && (rates.elements >= settings.interval / LongestPhase ||
      inputs.forall(!isOpen(_)) &&
      watched.forall(c => !inputs.contains(c.pipeline) || misses(c).isComplete))

  /** @param miss
    *   probability
    */
  def costs(c: Candidate, order: Array[Int], miss: Double): CacheCosts =
    CacheCosts.of(graph, c, readyAt(c, order), rates.share, pipelines, miss, settings.costs, leaving)

  /** What an operator costs without a cache, for each element of the join. */
  def operator(pipeline: Int, position: Int): Double =
    rates.share(pipeline) * pipelines(pipeline).nanos(position)

  private def readyAt(c: Candidate, order: Array[Int]): Int =
    (0 to c.from).find { q =>
      val held = order.take(q).foldLeft(graph.classesOf(c.pipeline))((set, w) => set | graph.classesOf(w))
      Bits.includes(held, c.classes)
    }.get

  /** Whether of all inputs rows were measured, but for those with so few that it does not matter. */
  def isKnown: Boolean =
    !pipelines.indices.exists(i => pipelines(i).observations == 0 && rates.share(i) > 1.0 / NegligibleShare)

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
