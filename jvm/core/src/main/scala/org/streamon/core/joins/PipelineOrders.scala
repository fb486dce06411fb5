package org.streamon.core.joins

import org.streamon.core.filters.{Precedence, OrderingAlgorithms}

/** The probing pipelines of a join: an order for the rows of each input, and what keeps it good.
  *
  * @param algorithm
  *   one of `OrderingAlgorithms.names`; `static` keeps the orders that it is given
  * @param initial
  *   pipelines to begin with, by input: windows in the sequence in which they are joined. For an input
  *   without one, windows in their own sequence as far as that is legal.
  * @param window
  *   profile tuples kept for each input
  * @param thrashAvoidance
  *   as for `OrderingAlgorithms.create`
  * @throws IllegalArgumentException
  *   when the graph is not connected, a pipeline is not legal, or an argument is outside what is allowed
  */
final class PipelineOrders(
    val graph: JoinGraph,
    algorithm: String = "a-greedy",
    initial: Map[Int, Array[Int]] = Map.empty,
    window: Int = OrderingAlgorithms.DefaultWindow,
    thrashAvoidance: Double = OrderingAlgorithms.DefaultThrashAvoidance
) {
  initial.keys.foreach(i =>
    require(i >= 0 && i < graph.n, s"pipeline of input $i: expected 0 to ${graph.n - 1}")
  )

  private val orders = Array.tabulate(graph.n) { i =>
    val filters = new LogicalFilters(graph, i)
    val start = initial.get(i).fold(Array.range(0, filters.size))(filters.order)
    val free = new Precedence(filters.size)
    new PipelineOrder(
      filters,
      OrderingAlgorithms.create(algorithm, filters.size, start, window, thrashAvoidance, free)
    )
  }

  /** The order of an input's pipeline. */
  def apply(input: Int): PipelineOrder = orders(input)
}
