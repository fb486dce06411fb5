package org.streamon.core.caching

import java.util.function.LongSupplier
import scala.collection.mutable
import org.streamon.core.joins._
import org.streamon.core.loop.Versioned

/** The Executor's part: one input's pipeline with the caches that are used now, for one set of synopses. It
  * is put together anew when the plan has changed.
  */
final class CachedPipeline private[caching] (
    caches: JoinCaches,
    input: Int,
    synopses: ReferableSynopses,
    clock: LongSupplier,
    clockNanos: Double
) extends PipelineCaching {
  private val graph = caches.graph
  private var planned = new Versioned(CachePlan.empty, -1L)
  private var loop: NestedLoop = null
  private var meter: PipelineMeter = null
  private var invalidations = Array.empty[Invalidation]
  private var invalidatedBy = -1L

  /** Look-ups that went past all caches, to learn what they cost. */
  var profiling: Long = 0L

  private[core] def begin(row: Long, order: Versioned[Array[Int]], arrival: PartialMatch): NestedLoop = {
    caches.arrived(input, order)
    if (planned.version != caches.current.version) {
      planned = caches.current
      loop = build(arrival)
      meter = null
    }
    if (caches.isSampled(input)) profile(row)
    loop
  }

  /** To be told of a row of the input when it has left its window, whether or not one has arrived before.
    *
    * @param joined
    *   the row, in its place
    */
  def left(joined: Array[Long]): Unit = {
    if (invalidatedBy != caches.current.version) {
      invalidatedBy = caches.current.version
      val contents = caches.current.plan.invalidated(input)
      invalidations = contents.map(new Invalidation(_, input, graph, synopses)).toArray
    }
    var k = 0
    while (k < invalidations.length) {
      invalidations(k).left(joined)
      k += 1
    }
  }

  private def profile(row: Long): Unit = {
    if (meter == null)
      meter = new PipelineMeter(graph, input, planned.plan.pipelines(input), synopses, clock, clockNanos)
    val before = meter.lookUps
    meter.measure(row)
    caches.offer(meter)
    profiling += meter.lookUps - before
  }

  private def build(arrival: PartialMatch): NestedLoop = {
    val plan = planned.plan
    val order = plan.pipelines(input)
    val stages = mutable.Buffer.empty[Stage]
    var others = 0
    def place() = {
      others += 1
      graph.n + others - 1
    }
    var p = 0
    while (p <= order.length) {
      plan.maintained(input, p).foreach(c => stages += new CacheUpdate(c, place(), synopses))
      for ((candidate, filter) <- plan.watched(input, p))
        stages += new ProbeWatch(candidate, filter, place(), synopses)
      plan.used(input, p) match {
        case Some((candidate, content)) =>
          stages += new CacheLookup(candidate, content, place(), graph, arrival, synopses)
          p = candidate.to + 1
        case None =>
          if (p < order.length) stages += new WindowStage(order(p), synopses)
          p += 1
      }
    }
    if (others == 0) null
    else {
      val pipeline = new Pipeline(graph, Vector(input), stages.toVector, graph.residuals.indices)
      new NestedLoop(pipeline, arrival, synopses)
    }
  }
}
