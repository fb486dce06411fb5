package org.streamon.spark.execution.joins

import org.streamon.core.joins.PipelineExecutor
import org.streamon.spark.execution.state.JoinShape
import org.streamon.spark.metrics.{DecisionReport, FilterReport}

/** What a task tells of its pipelines, in the terms of adaptive filters: the conjuncts of a pipeline are the
  * other inputs, each of which drops the rows that have no match there.
  *
  * @param operator
  *   the name of the MJoin within its query
  */
final class JoinReports(query: String, operator: String, algorithm: String, shape: JoinShape) {
  private val names = shape.inputs.indices.map { i =>
    s"input $i on ${shape.keys.flatMap(_(i)).map(_.sql).mkString(", ")}"
  }

  /** @param arrived
    *   rows of the input that went into its pipeline, and results found by them
    */
  def of(
      input: Int,
      executor: PipelineExecutor,
      arrived: Long,
      results: Long
  ): FilterReport = {
    val order = executor.order.current.plan
    val filters = executor.order.filters
    val windows = (0 until filters.size).map(filters.window)
    val pipeline = s"$operator, rows of input $input"
    val conjuncts = windows.map(names)
    FilterReport(
      query,
      pipeline,
      names.hashCode.toHexString,
      algorithm,
      conjuncts,
      order.toIndexedSeq,
      windows.map(executor.probes(_)).toArray,
      windows.map(executor.drops(_)).toArray,
      arrived,
      results,
      executor.profiled,
      executor.reorders,
      0L,
      executor.decisions.take().map(DecisionReport(query, pipeline, algorithm, conjuncts, _))
    )
  }
}
