package org.streamon.core.joins

import org.streamon.core.filters.{OrderLoop, OrderingAlgorithm}

/** The adaptive loop of one input's pipeline: an algorithm for filters, over its logical filters (thesis,
  * Section 5.2). Logical filters may stand in any order: precedence is a matter of the pipeline made of them.
  * A-Greedy's 4-approximation is for filters that do their own work each, which those of the root of a star
  * do; where paths share windows it orders well, without the guarantee.
  */
final class PipelineOrder(val filters: LogicalFilters, algorithm: OrderingAlgorithm)
    extends OrderLoop(algorithm) {

  /** Windows by position. */
  def pipeline: Array[Int] = filters.pipeline(current.plan)

  override val profiles: Boolean = algorithm.profiles && filters.size > 1
}
