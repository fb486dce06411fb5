package org.streamon.spark.metrics

/** The driver's record of a change of order, of routes or of caches.
  *
  * @param executor
  *   the executor that made the change
  * @param parts
  *   what plans are made of, as text: plans are indices into it, statistics are by these
  */
final case class DecisionReport(
    query: String,
    operator: String,
    executor: String,
    algorithm: String,
    parts: IndexedSeq[String],
    change: Change
)
