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
    decisions: Seq[Decision]
)

/** A change of order: when, from what to what, and the statistics that moved it (by written position; NaN
  * when unknown).
  *
  * @param timeMicros
  *   microseconds since the epoch
  * @param nanos
  *   mean time of an evaluation
  * @param dropRate
  *   share of the profiled rows that reach the conjunct in the learned order and are dropped by it
  * @param straightNanos
  *   mean time of a profiled row in the order that generated code runs straight; NaN when there is none
  * @param learnedNanos
  *   mean time of a profiled row in the learned order; NaN when there is no other to compare it with
  */
final case class Decision(
    timeMicros: Long,
    query: String,
    operator: String,
    algorithm: String,
    conjuncts: IndexedSeq[String],
    oldOrder: IndexedSeq[Int],
    newOrder: IndexedSeq[Int],
    dropRate: IndexedSeq[Double],
    nanos: IndexedSeq[Double],
    straightNanos: Double,
    learnedNanos: Double
)
