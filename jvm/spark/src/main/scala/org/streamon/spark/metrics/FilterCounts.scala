package org.streamon.spark.metrics

/** The counts of one task for one adaptive filter, for one pipeline of an MJoin, or for the columns or the
  * conditions of a `streamon_match`. They are only numbers, but for the values in a tree. Arrays are by
  * written position.
  *
  * @param query
  *   that the task belongs to
  * @param isStreaming
  *   whether the query goes on in other jobs
  * @param executor
  *   that the task ran in
  * @param place
  *   which of the filters of the operator: the input, for a pipeline
  * @param order
  *   written positions, in the order at the end of the task
  * @param asWritten
  *   evaluations that the profiled rows would take in written order; none where that is not measured
  * @param decisions
  *   without the attributes of trees, which the driver knows
  * @param routes
  *   none where there is one order for all rows, by the algorithm
  * @param sequences
  *   changes of the sequence of columns
  */
final case class FilterCounts(
    query: String,
    isStreaming: Boolean,
    executor: String,
    place: Int,
    order: Array[Int],
    guards: Seq[Guard],
    evaluations: Array[Long],
    drops: Array[Long],
    inputRows: Long,
    outputRows: Long,
    profiled: Long,
    asWritten: Option[Long],
    reorders: Long,
    reevaluated: Long,
    decisions: Seq[OrderChange],
    routes: Option[RouteCounts] = None,
    sequences: Seq[SequenceChange] = Nil
)
