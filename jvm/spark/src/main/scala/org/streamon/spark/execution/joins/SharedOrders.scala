package org.streamon.spark.execution.joins

import org.streamon.core.joins.PipelineOrders

/** The pipelines of an MJoin in this executor, for all its tasks, and what has been told of them. */
final class SharedOrders(val pipelines: PipelineOrders) {
  private val told = Array.tabulate(pipelines.graph.n)(pipelines(_).order)

  /** The order of an input's pipeline that was told of last, if it has changed since; the new one counts as
    * told.
    */
  def changedFrom(input: Int): Option[Array[Int]] = synchronized {
    val before = told(input)
    told(input) = pipelines(input).order
    Option.when(!java.util.Arrays.equals(before, told(input)))(before)
  }
}
