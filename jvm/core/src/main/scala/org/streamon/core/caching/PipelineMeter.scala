package org.streamon.core.caching

import java.util.function.LongSupplier
import org.streamon.core.joins._

/** The Profiler of one pipeline: sends a row through it past all caches, and measures (thesis, Section
  * 5.4.2).
  *
  * @param order
  *   windows by position
  */
private[core] final class PipelineMeter(
    graph: JoinGraph,
    input: Int,
    order: Array[Int],
    synopses: Synopses,
    clock: LongSupplier,
    clockNanos: Double
) {
  import PipelineMeter._

  private val executed = new MeteredSynopses(graph, order, synopses, clock, clockNanos)
  private val inTurn = new MeteredSynopses(graph, order, synopses, clock, clockNanos)
  private val arrival = new Arrival(input, graph.n, new Array[Long](graph.n))

  private val asExecuted = new NestedLoop(Pipeline.of(graph, input, order, executed), arrival, executed)
  private val oneAfterTheOther = {
    val stages = order.toVector.map(new WindowStage(_, inTurn) { override def isBarrier: Boolean = true })
    new NestedLoop(
      new Pipeline(graph, Vector(input), stages, graph.residuals.indices),
      arrival.behind,
      inTurn
    )
  }

  /** Look-ups made. */
  def lookUps: Long = arrival.counts.sum

  def profile(row: Long, statistics: PipelineStatistics): Unit = {
    run(row, executed, asExecuted)
    run(row, inTurn, oneAfterTheOther)
    statistics.observe(order, executed, inTurn)
  }

  private def run(row: Long, meter: MeteredSynopses, loop: NestedLoop): Unit = {
    meter.clear()
    arrival.begin(row)
    var results = 0
    var found = loop.first()
    while (found && results < MostResults) {
      found = loop.next()
      results += 1
    }
  }
}

private object PipelineMeter {

  /** Results of one row; the few rows that have more are measured up to there. */
  private val MostResults = 10000
}
