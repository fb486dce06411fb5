package org.streamon.spark.execution.joins

import org.streamon.core.joins.{LogicalFilters, PipelineExecutor}
import org.streamon.core.routes.Attribute
import org.streamon.spark.execution.state.JoinShape
import org.streamon.spark.metrics.{FilterCounts, FilterTexts, OrderChange, ThisExecutor}

/** Reports on the pipelines of an MJoin, in the format of adaptive filters. The conjuncts of a pipeline are
  * the other inputs: each of them drops the rows that have no match in it.
  */
private[joins] object JoinReports {

  /** By input, the texts of its pipeline.
    *
    * @param owner
    *   who may see them
    * @param operator
    *   the name of the MJoin within its query
    * @param attributes
    *   by input, what the trees of its routes look at
    */
  def texts(
      owner: Option[String],
      operator: String,
      algorithm: String,
      shape: JoinShape,
      attributes: Int => IndexedSeq[Attribute]
  ): IndexedSeq[FilterTexts] = {
    val names = shape.inputs.indices.map { i =>
      s"input $i on ${shape.keys.flatMap(_(i)).map(_.sql).mkString(", ")}"
    }
    names.indices.map { i =>
      val filters = new LogicalFilters(shape.graph, i)
      val conjuncts = (0 until filters.size).map(k => names(filters.window(k)))
      val name = s"$operator, rows of input $i"
      FilterTexts(owner, name, names.hashCode.toHexString, algorithm, conjuncts, attributes(i))
    }
  }

  /** What a task has counted in the pipeline of an input.
    *
    * @param routes
    *   null where all rows have one order
    * @param arrived
    *   rows of the input that went into its pipeline, and results found by them
    */
  def counts(
      query: String,
      input: Int,
      executor: PipelineExecutor,
      routes: TaskRoutes,
      arrived: Long,
      results: Long
  ): FilterCounts = {
    val filters = executor.order.filters
    val windows = Array.tabulate(filters.size)(filters.window)
    val order = if (routes == null) executor.order.current.plan else routes.common
    FilterCounts(
      query,
      isStreaming = true,
      ThisExecutor.id,
      input,
      order,
      Nil,
      windows.map(executor.probes(_)),
      windows.map(executor.drops(_)),
      arrived,
      results,
      executor.profiled,
      None,
      executor.reorders,
      0L,
      executor.decisions.take().map { reordered =>
        OrderChange(reordered.change, Option(routes).flatMap(_.laneOf(reordered.order)))
      },
      Option(routes).map(_.counts())
    )
  }
}
