package org.streamon.spark.metrics

/** What one task tells the driver of one adaptive filter. Arrays by written position.
  *
  * @param fingerprint
  *   tells apart filters of one query that bear the same name, as those of subqueries may
  */
final case class FilterReport(
    query: String,
    operator: String,
    fingerprint: String,
    algorithm: String,
    conjuncts: IndexedSeq[String],
    order: IndexedSeq[Int],
    evaluations: Array[Long],
    drops: Array[Long],
    inputRows: Long,
    outputRows: Long,
    profiled: Long,
    reorders: Long,
    reevaluated: Long,
    decisions: Seq[DecisionReport]
)
