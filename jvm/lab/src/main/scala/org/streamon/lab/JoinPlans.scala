package org.streamon.lab

import org.streamon.lab.baselines.{InMemorySynopses, MJoin, XJoin}
import java.util.SplittableRandom
import java.util.function.LongSupplier
import org.streamon.core.joins.{JoinGraph, JoinTree, PipelineOrders}

/** What the plans of a join do for a sequence of elements, counted: look-ups in windows and subresults, and
  * tuples put into and taken out of subresults. Putting results together is left out: it is the same for all
  * plans.
  */
private[lab] object JoinPlans {

  /** Profile tuples. The thesis gives no window for joins; its 1,000 for filters take 100,000 dropped rows of
    * each input to turn over.
    */
  val Window = 200

  /** A-Greedy's pipelines at work. Its clock is the count of look-ups, at a fixed time for each.
    *
    * @param p
    *   drop-profiling probability, which the thesis does not give for joins; for filters it is 0.01
    */
  final class Adaptive(graph: JoinGraph, p: Double, seed: Long) {
    private val join: MJoin =
      mjoin(new PipelineOrders(graph, window = Window), seed, p, () => lookUps * Contender.NanosPerProbe)
    private var elements = 0L

    private def artificial: Long = (0 until graph.n).map(join.executor(_).artificial.sum).sum
    private def lookUps: Long = (0 until graph.n).map(join.executor(_).probes.sum).sum + artificial

    def feed(input: Array[WindowElement]): Unit = {
      JoinPlans.feed(join, input)
      elements += input.length
    }

    /** The pipelines as they stand. */
    def pipelines: Map[Int, Array[Int]] = (0 until graph.n).map(i => i -> join.orders(i).pipeline).toMap

    /** Look-ups for each element, those for profile tuples among them. */
    def work: Double = lookUps.toDouble / elements

    /** Of these, the ones for profile tuples only. */
    def overhead: Double = artificial.toDouble / elements
  }

  /** Look-ups of each input's rows for each part of the elements, under a fixed order: the `k`-th permutation
    * of the other windows, for every input. An input's look-ups do not depend on the others' orders, so these
    * serve to put together any choice of orders.
    */
  def fixed(graph: JoinGraph, k: Int, parts: Seq[Array[WindowElement]]): Seq[Seq[Long]] = {
    val pipelines = (0 until graph.n).map { i =>
      i -> (0 until graph.n).filter(_ != i).permutations.drop(k).next().toArray
    }
    val join = mjoin(new PipelineOrders(graph, "static", pipelines.toMap), 1, 0.0, () => 0L)
    def counts = (0 until graph.n).map(join.executor(_).probes.sum)
    parts.map { part =>
      val before = counts
      feed(join, part)
      counts.zip(before).map { case (a, b) => a - b }
    }
  }

  /** How many fixed orders an input has. */
  def orders(graph: JoinGraph): Int = (1 until graph.n).product

  /** Work for each element of a tree of two-way joins, and the most tuples that its subresults held. */
  def tree(graph: JoinGraph, tree: JoinTree, elements: Array[WindowElement]): (Double, Long) = {
    val join = new XJoin(graph, tree)
    var most = 0L
    elements.foreach { e =>
      e.feed(join)(_ => ())
      most = math.max(most, join.materialized)
    }
    ((join.probes + join.maintenance).toDouble / elements.length, most)
  }

  private def mjoin(
      orders: PipelineOrders,
      seed: Long,
      p: Double,
      clock: LongSupplier
  ): MJoin = new MJoin(orders, new InMemorySynopses(orders.graph), new SplittableRandom(seed), p, clock)

  private def feed(join: MJoin, elements: Array[WindowElement]): Unit =
    elements.foreach(_.feed(join)(_ => ()))
}
