package org.streamon.core.caching

import java.util.function.LongSupplier
import java.util.random.RandomGenerator
import org.streamon.core.joins.{Bits, JoinGraph, PipelineOrders, ReferableSynopses}
import org.streamon.core.loop.{Decision, Versioned}

/** The caches of one n-ary join (thesis, Chapter 5: A-Caching). Orders come first, from whatever keeps them;
  * then caches for these orders; then memory for these caches. Which caches are used follows from benefits
  * and costs that are measured while the join runs.
  *
  * All of it may be dropped at any moment: the results are the same. Not thread-safe, but for the memory and
  * the orders, which it shares with others.
  *
  * @param memory
  *   for the entries, and for what tells how often candidates would miss
  * @param random
  *   decides which rows are profiled
  * @param batches
  *   whether elements come in batches, input by input: then rates are those of whole batches, and plans
  *   change between them, or within one that is foreseen to bring other rates
  * @throws IllegalArgumentException
  *   when a cache is forced on windows that are not joined with each other
  */
final class JoinCaches(
    orders: PipelineOrders,
    settings: CacheSettings,
    memory: CacheMemory,
    random: RandomGenerator,
    batches: Boolean = false
) extends CacheMemory.Owner {
  private[caching] val graph: JoinGraph = orders.graph
  settings.forced.foreach { windows =>
    require(
      Bits.size(windows) >= 2 && Bits.size(windows) < graph.n && graph.connects(windows),
      s"a cache of the inputs ${Bits.members(windows).mkString(", ")} of ${graph.n}: expected two or more, " +
        "but not all, that are joined with each other"
    )
  }

  private val sign = new Sign
  private val contents = new SharedCaches(memory, this, sign, settings.largest)
  private val loop = {
    val profiler = new CacheProfiler(graph, settings, memory, random, batches)
    new CacheLoop(orders, settings, contents, profiler, batches)
  }
  private var idle = false
  @volatile private var mustShrink = false

  /** The caches of an input's pipeline, for the executor that runs it over some synopses.
    *
    * @param clock
    *   nanoseconds; read for profiled rows only
    * @param clockNanos
    *   what reading it adds to a measurement
    */
  def of(input: Int, synopses: ReferableSynopses, clock: LongSupplier, clockNanos: Double): CachedPipeline =
    new CachedPipeline(this, input, synopses, clock, clockNanos)

  /** To be told of a row before its pipeline runs.
    *
    * @param inserting
    *   whether it enters its window, or leaves it
    * @param isKept
    *   false for one that never will be in its window
    */
  def begin(inserting: Boolean, isKept: Boolean = true): Unit = {
    sign.inserting = inserting
    sign.isKept = isKept
  }

  /** Nobody works on it until `resume`: pages may be taken from its caches by other threads. */
  def suspend(): Unit = memory.synchronized {
    idle = true
    if (mustShrink) shrink()
  }
  def resume(): Unit = memory.synchronized { idle = false }

  /** Drops the content of every cache. */
  def dropAll(): Unit = memory.synchronized(contents.dropAll())

  /** Gives back all memory, for good. */
  def close(): Unit = memory.synchronized {
    contents.close()
    loop.profiler.misses.close()
  }

  /** Of all caches that there were. */
  def hits: Long = contents.hits
  def misses: Long = contents.misses

  /** Tuples taken from caches on hits, by all that there were. */
  def tuplesRead: Long = contents.work.read

  /** Tuples of values with which one that came by for maintenance was compared. */
  def tuplesCompared: Long = contents.work.compared

  /** What is taken of the memory: by entries, and by what tells how often candidates would miss. */
  def bytes: Long = contents.bytes + loop.profiler.misses.bytes

  /** Tuples put into caches on misses. */
  def tuplesCreated: Long = contents.work.created

  /** What every cache in use has done so far. */
  def reports: Seq[CacheReport] = loop.used.groupBy(_.content).toSeq.map { case (of, candidates) =>
    val content = contents(of)
    val estimates = candidates.flatMap(loop.estimate)
    CacheReport(
      candidates.map(_.toString),
      content.cache.hits,
      content.cache.misses,
      content.updates,
      content.cache.entries,
      content.cache.bytes,
      estimates.map(_.benefit).sum,
      estimates.map(_.cost).maxOption.getOrElse(0.0)
    )
  }

  /** The changes of plan since this was last called, the last thousand of them. */
  def takeDecisions(): Seq[JoinCaches.Change] = loop.decisions.take()

  override def lost(): Unit = if (idle) shrink() else mustShrink = true

  /** Every cache in use. */
  private[core] def inUse: Seq[(Candidate, SharedCache)] =
    loop.used.map(c => c -> contents(c.content))

  private[caching] def current: Versioned[CachePlan] = loop.current

  private[caching] def arrived(input: Int, order: Versioned[Array[Int]]): Unit = {
    if (mustShrink) shrink()
    loop.arrived(input, order)
  }

  private[caching] def isSampled(input: Int): Boolean = loop.isSampled(input)

  private[caching] def offer(sample: PipelineMeter): Unit = loop.profiler.offer(sample)

  /** To be called at the end of each batch, where elements come in batches. */
  def review(): Unit = loop.review()

  /** Whether statistics are gathered. */
  private[caching] def isProfiling: Boolean = loop.isProfiling

  private def shrink(): Unit = {
    mustShrink = false
    contents.shrink()
  }
}

object JoinCaches {

  /** A change of the caches in use, by the places where they are looked up. What is known of these: the
    * benefit less the cost, nanoseconds for each element of the join.
    */
  type Change = Decision[Set[String], Map[String, Double]]
}
