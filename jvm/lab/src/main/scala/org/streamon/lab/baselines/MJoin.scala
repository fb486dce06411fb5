package org.streamon.lab.baselines

import org.streamon.core.joins.{PipelineExecutor, PipelineOrders, Row}
import java.util.function.LongSupplier
import java.util.random.RandomGenerator
import org.streamon.core.caching.{CachedPipeline, JoinCaches}
import org.streamon.core.filters.DropProfiling

/** The n-ary join (thesis, Section 5.1.1): a synopsis for each input and no intermediate state. An element
  * goes through the pipeline of its input, and then into or out of its own window. Results are those of the
  * join of the windows, added by an insertion and taken back by a deletion.
  *
  * @param profilingProbability
  *   drop-profiling probability p, 0 to 1
  * @param clock
  *   nanoseconds; read for sampled rows only
  * @param caches
  *   over the same orders, if there are any
  */
final class MJoin(
    val orders: PipelineOrders,
    synopses: InMemorySynopses,
    random: RandomGenerator,
    profilingProbability: Double = 0.01,
    clock: LongSupplier = () => System.nanoTime(),
    caches: Option[JoinCaches] = None
) extends ElementJoin {
  private val graph = orders.graph
  private val joinCaches = caches.orNull

  /** By input; null without caches. */
  private val cached: Array[CachedPipeline] = Array.tabulate(graph.n)(i =>
    if (joinCaches == null) null else joinCaches.of(i, synopses, clock, clockNanos = 0.0)
  )
  private val executors = Array.tabulate(graph.n)(i =>
    new PipelineExecutor(
      orders(i),
      synopses,
      new DropProfiling(random, profilingProbability),
      clock,
      cached(i)
    )
  )

  /** The row that leaves, in its place. */
  private val leaving = new Array[Long](graph.n)

  /** The executor of an input's pipeline, for its counts. */
  def executor(input: Int): PipelineExecutor = executors(input)

  override def insert(input: Int, row: Row)(emit: IndexedSeq[Row] => Unit): Unit =
    if (graph.accepts(input, row)) {
      val slot = synopses(input).store(row)
      if (joinCaches != null) joinCaches.begin(inserting = true)
      process(input, slot, emit)
      synopses(input).enter(slot)
    }

  override def delete(input: Int, row: Row)(emit: IndexedSeq[Row] => Unit): Unit =
    if (graph.accepts(input, row)) {
      val slot = find(input, row)
      if (joinCaches != null) joinCaches.begin(inserting = false)
      process(input, slot, emit)
      leave(input, slot)
    }

  /** A row leaves its window, and takes back no results: what Spark joins it has given out for good.
    *
    * @throws IllegalArgumentException
    *   when no such row is in the window
    */
  def expire(input: Int, row: Row): Unit =
    if (graph.accepts(input, row)) leave(input, find(input, row))

  private def find(input: Int, row: Row): Int = {
    val slot = synopses(input).find(row)
    if (slot < 0) throw new IllegalArgumentException(s"delete $row: not in the window of input $input")
    slot
  }

  private def leave(input: Int, slot: Int): Unit = {
    synopses(input).leave(slot)
    leaving(input) = slot.toLong
    if (joinCaches != null) cached(input).left(leaving)
    synopses(input).free(slot)
  }

  private def process(input: Int, slot: Int, emit: IndexedSeq[Row] => Unit): Unit = {
    val executor = executors(input)
    if (executor.arrive(slot.toLong)) while (executor.next()) emit(synopses.result(executor.joined))
  }
}
