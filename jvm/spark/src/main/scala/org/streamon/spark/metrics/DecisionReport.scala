package org.streamon.spark.metrics

import org.streamon.core.filters.OrderLoop

/** A change of plan, as the driver keeps it.
  *
  * @param executor
  *   that made it
  * @param parts
  *   what plans are made of, as text: plans are indices into it, statistics are by these
  */
final case class DecisionReport(
    query: String,
    operator: String,
    executor: String,
    algorithm: String,
    parts: IndexedSeq[String],
    decision: OrderLoop.Reorder
)
