package org.streamon.core.joins

import java.util.function.LongSupplier
import org.streamon.core.filters.{DropProfiling, OrderLoop, ProfileTuple}
import org.streamon.core.loop.DecisionLog

/** The Executor of one input's pipeline, a row at a time and in two phases (thesis, Section 5.2). ''Drop
  * probing'' asks, in the order of the logical filters, only whether there is a match, and stops at the first
  * that has none: this is pipelined filtering, which is why algorithms for filters can order it. ''Output
  * generation'' then goes through all combinations, from the matches that probing has found.
  * {{{
  * if (executor.arrive(row)) while (executor.next()) emit(executor.joined)
  * }}}
  * Where the pipeline goes through caches both phases are one: a nested loop over its stages, whose look-ups
  * are done as soon as they can be. Its results must be taken to the end: caches are maintained on the way.
  *
  * Allocates nothing a row, but for what caches keep; what a new order needs is put together when it is first
  * seen. Not thread-safe, but executors of several threads may share an order.
  *
  * @param profiling
  *   decides which rows are sampled; of those, the ones that are dropped become profile tuples
  * @param clock
  *   nanoseconds; read for sampled rows only
  * @param first
  *   the order of the rows until `follow`
  * @param caching
  *   the caches of this pipeline until `reopen`; null when there are never any
  * @param listener
  *   is told of sampled rows
  */
final class PipelineExecutor(
    first: PipelineOrder,
    synopses: Synopses,
    profiling: DropProfiling,
    clock: LongSupplier,
    caching: PipelineCaching = null,
    listener: PipelineListener = PipelineListener.None
) {
  private val filters = first.filters
  private val graph = filters.graph
  private val n = filters.size
  private val tuple = new ProfileTuple(n)
  private val arrival = {
    val places = if (caching == null) graph.n else graph.n + PipelineCaching.Places
    new PartialMatch(filters.input, graph.n, new Array[Long](places))
  }
  private var caches = caching
  private var probing = openProbing()
  private val pathWindows = Array.tabulate(n)(q => Bits.of(filters.path(q)))
  private var generation: NestedLoop = null
  private var generationOrder: Array[Int] = null

  /** Those of the orders that rows have followed of late: rows of several kinds take turns. */
  private val generations = new java.util.IdentityHashMap[Array[Int], NestedLoop]
  private var followed = first
  private var planned = first.current
  private var current = planned.plan
  private var throughCaches: NestedLoop = null
  private var phase = PipelineExecutor.Done

  /** Row by input: that which arrived, and after `next` those joined with it. What follows is of the caches.
    * Not to be changed.
    */
  val joined: Array[Long] = arrival.joined

  /** Look-ups in each window, of both phases, without those for profile tuples only. What follows is of the
    * caches.
    */
  val probes: Array[Long] = arrival.counts

  /** Look-ups in each window for profile tuples only. */
  val artificial: Array[Long] = new Array[Long](arrival.counts.length)

  /** By window: rows that its logical filter has dropped. */
  val drops: Array[Long] = new Array[Long](graph.n)

  /** Profile tuples made. */
  var profiled: Long = 0L

  /** Profile tuples that changed the order. */
  var reorders: Long = 0L

  /** The changes of order that they made. */
  val decisions: DecisionLog[PipelineExecutor.Reordered] = new DecisionLog

  /** The order of the rows that arrive. */
  def order: PipelineOrder = followed

  /** Another order of the same filters, for the rows that arrive from now on. Caches are for one order, so
    * where there are any it stays.
    */
  def follow(next: PipelineOrder): Unit = followed = next

  /** Drop probing of a row of the input. False when it is dropped: there is no result with it. */
  def arrive(row: Long): Boolean = {
    arrival.begin(row)
    planned = followed.current
    current = planned.plan
    throughCaches = if (caches == null) null else caches.begin(row, planned, arrival)
    val sample = followed.profiles && profiling.sample()
    val passes =
      if (throughCaches == null) if (sample) sampled() else plain()
      else {
        val counted = sample && !sampled()
        val found = throughCaches.first()
        if (!found && !counted && arrival.missed >= 0 && arrival.missed < graph.n) drops(arrival.missed) += 1
        found
      }
    phase =
      if (!passes) PipelineExecutor.Done
      else if (throughCaches == null) PipelineExecutor.Probed
      else PipelineExecutor.Found
    passes
  }

  /** Output generation: the next result with the row; it is then in `joined`. False when there is none left.
    * A row that was not dropped may have none, where logical filters and residual predicates leave that open.
    */
  def next(): Boolean = {
    val found = phase match {
      case PipelineExecutor.Probed =>
        if (generationOrder ne current) generate()
        generation.first()
      case PipelineExecutor.Found      => true
      case PipelineExecutor.Generating =>
        if (throughCaches == null) generation.next() else throughCaches.next()
      case _ => false
    }
    phase = if (found) PipelineExecutor.Generating else PipelineExecutor.Done
    found
  }

  /** To be called, between two rows, when the synopses give other probes than before. From then on it goes
    * through no caches: what these have was found by the former.
    */
  def reopen(): Unit = {
    caches = null
    probing = openProbing()
    generations.clear()
    generationOrder = null
  }

  /** Lets output generation follow the current order. */
  private def generate(): Unit = {
    generation = generations.get(current)
    if (generation == null) {
      if (generations.size == PipelineExecutor.MostGenerations) generations.clear()
      generation = nestedLoop(filters.pipeline(current))
      generations.put(current, generation)
    }
    generationOrder = current
  }

  private def openProbing() = Array.tabulate(n)(q => nestedLoop(filters.path(q)))

  private def plain(): Boolean = {
    var proved = 0L
    var r = 0
    while (r < n) {
      val q = current(r)
      // A filter whose path is part of another's holds with it.
      if (!Bits.contains(proved, filters.window(q))) {
        if (!probing(q).first()) {
          drops(filters.window(q)) += 1
          return false
        }
        proved |= pathWindows(q)
        // Generation goes on from here: earlier rows of the path's first window have no match further on.
        val entry = filters.path(q)(0)
        arrival.heads(entry) = joined(entry)
      }
      r += 1
    }
    true
  }

  private def sampled(): Boolean = {
    tuple.evaluated.clear()
    tuple.dropped.clear()
    var r = 0
    while (r < n) {
      if (!timed(current(r))) {
        drops(filters.window(current(r))) += 1
        profile(r)
        listener.sampled(tuple)
        return false
      }
      r += 1
    }
    listener.sampled(tuple)
    true
  }

  private def profile(dropPosition: Int): Unit = {
    tuple.dropPosition = dropPosition
    arrival.counts = artificial
    var r = followed.nextPosition(planned, dropPosition, dropPosition, tuple.dropped)
    while (r < n) {
      timed(current(r))
      r = followed.nextPosition(planned, dropPosition, r, tuple.dropped)
    }
    arrival.counts = probes
    profiled += 1
    followed.offer(tuple, planned) match {
      case Some(change) =>
        decisions.add(PipelineExecutor.Reordered(followed, change))
        reorders += 1
      case None => ()
    }
  }

  /** A whole filter by itself, so that its time does not depend on which went before. */
  private def timed(q: Int): Boolean = {
    arrival.forget(pathWindows(q))
    val start = clock.getAsLong
    val passes = probing(q).first()
    tuple.nanos(q) = clock.getAsLong - start
    tuple.evaluated.add(q)
    if (!passes) tuple.dropped.add(q)
    passes
  }

  private def nestedLoop(windows: Array[Int]): NestedLoop =
    new NestedLoop(Pipeline.of(graph, filters.input, windows, synopses), arrival, synopses)
}

object PipelineExecutor {

  /** A change of one of the orders that rows follow. */
  final case class Reordered(order: PipelineOrder, change: OrderLoop.Reorder)

  private val Done = 0
  private val Probed = 1
  private val Found = 2
  private val Generating = 3

  /** Orders for which output generation is kept. */
  private val MostGenerations = 64
}
