package org.streamon.spark.metrics

/** What the driver knows of one adaptive filter of a query. Arrays by written position.
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
    reevaluated: Long
) {

  /** What it takes in memory, about. */
  def bytes: Long =
    200L + 2L * (query.length + operator.length + fingerprint.length) +
      conjuncts.map(text => 80L + 2L * text.length).sum

  /** The same filter with the counts of another task. */
  def +(task: FilterCounts): FilterReport = copy(
    order = task.order.toIndexedSeq,
    evaluations = FilterReport.added(evaluations, task.evaluations),
    drops = FilterReport.added(drops, task.drops),
    inputRows = inputRows + task.inputRows,
    outputRows = outputRows + task.outputRows,
    profiled = profiled + task.profiled,
    reorders = reorders + task.reorders,
    reevaluated = reevaluated + task.reevaluated
  )
}

object FilterReport {

  /** Of a filter that nothing is known of yet.
    *
    * @param query
    *   its id
    */
  def apply(query: String, texts: FilterTexts): FilterReport = {
    val none = new Array[Long](texts.conjuncts.size)
    FilterReport(
      query,
      texts.operator,
      texts.fingerprint,
      texts.algorithm,
      texts.conjuncts,
      texts.conjuncts.indices,
      none,
      none,
      0L,
      0L,
      0L,
      0L,
      0L
    )
  }

  private def added(a: Array[Long], b: Array[Long]): Array[Long] = a.zip(b).map { case (x, y) => x + y }
}

/** How an adaptive filter is told to people: as [[FilterReport]] has it. */
final case class FilterTexts(
    operator: String,
    fingerprint: String,
    algorithm: String,
    conjuncts: IndexedSeq[String]
)
