package org.streamon.spark.metrics

import org.streamon.core.filters.OrderLoop

/** What one task counts of one adaptive filter, or of one pipeline of an MJoin. Numbers alone. Arrays by
  * written position.
  *
  * @param query
  *   that the task belongs to
  * @param isStreaming
  *   whether the query goes on in other jobs
  * @param place
  *   which of the filters of the operator: the input, for a pipeline
  * @param order
  *   written positions, in the order at the end of the task
  */
final case class FilterCounts(
    query: String,
    isStreaming: Boolean,
    place: Int,
    order: Array[Int],
    evaluations: Array[Long],
    drops: Array[Long],
    inputRows: Long,
    outputRows: Long,
    profiled: Long,
    reorders: Long,
    reevaluated: Long,
    decisions: Seq[OrderLoop.Reorder]
)
