package org.streamon.core.caching

import java.util.function.LongSupplier
import org.streamon.core.joins._

/** Sends a row through one pipeline past all caches, and measures (thesis, Section 5.4.2). It is sent twice:
  * once for the time that it takes as a whole, and once with a clock around each step, which tells how that
  * time is shared: by itself the clock makes steps of a few nanoseconds look longer than they are, and a
  * second time all rows are at hand.
  *
  * @param order
  *   windows by position
  */
private[core] final class PipelineMeter(
    graph: JoinGraph,
    val input: Int,
    val order: Array[Int],
    synopses: Synopses,
    clock: LongSupplier,
    clockNanos: Double
) {
  import PipelineMeter._

  private val bounded = new BoundedSynopses(synopses)
  private val arrival = new PartialMatch(input, graph.n, new Array[Long](graph.n))

  private val pipelined = new Measured(new WindowStage(_, _))
  private val oneByOne =
    new Measured((window, over) => new WindowStage(window, over) { override def isBarrier: Boolean = true })

  /** What the last row cost as the pipeline is executed, and with one position after the other. */
  def executed: MeteredSynopses = pipelined.meter
  def inTurn: MeteredSynopses = oneByOne.meter

  /** Look-ups made. */
  def lookUps: Long = arrival.counts.sum

  def measure(row: Long): Unit = {
    pipelined.run(row)
    oneByOne.run(row)
  }

  private final class Measured(stage: (Int, Synopses) => Stage) {
    val meter = new MeteredSynopses(graph, order, bounded, clock, clockNanos)
    private val whole = over(bounded)
    private val inSteps = over(meter)

    def run(row: Long): Unit = {
      val begin = clock.getAsLong
      through(row, whole)
      val took = math.max(clock.getAsLong - begin - clockNanos, 0.0)
      meter.clear()
      through(row, inSteps)
      meter.scale(took)
    }

    private def over(synopses: Synopses) = {
      val stages = order.toVector.map(stage(_, synopses))
      val pipeline = new Pipeline(graph, Vector(input), stages, graph.residuals.indices)
      new NestedLoop(pipeline, arrival.behind, synopses)
    }
  }

  private def through(row: Long, loop: NestedLoop): Unit = {
    arrival.begin(row)
    bounded.begin(MostSteps)
    var found = loop.first()
    while (found) found = loop.next()
  }
}

private object PipelineMeter {

  /** Look-ups and rows, of one row each time that it is sent; the few rows that take more are measured up to
    * there: without early look-ups a row may meet all combinations of others.
    */
  private val MostSteps = 1 << 16
}
