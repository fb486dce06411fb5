package org.streamon.spark.metrics

/** What the driver knows of one adaptive filter of a query. Arrays by written position.
  *
  * @param order
  *   that of the task that has told last
  */
final case class FilterReport(
    query: String,
    texts: FilterTexts,
    order: IndexedSeq[Int],
    evaluations: Array[Long],
    drops: Array[Long],
    inputRows: Long = 0L,
    outputRows: Long = 0L,
    profiled: Long = 0L,
    reorders: Long = 0L,
    reevaluated: Long = 0L
) {
  def operator: String = texts.operator
  def algorithm: String = texts.algorithm
  def conjuncts: IndexedSeq[String] = texts.conjuncts

  /** The same filter with the counts of another task, and what it is called by then. Of equal texts those are
    * kept that are here already, so that there are not as many as micro-batches.
    */
  def and(task: FilterCounts, called: FilterTexts): FilterReport = copy(
    texts = if (called.conjuncts == conjuncts) called.copy(conjuncts = conjuncts) else called,
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

  /** Of a filter that has told nothing yet.
    *
    * @param query
    *   its id
    */
  def apply(query: String, texts: FilterTexts): FilterReport = {
    val none = new Array[Long](texts.conjuncts.size)
    FilterReport(query, texts, texts.conjuncts.indices, none, none)
  }

  private def added(a: Array[Long], b: Array[Long]): Array[Long] = Array.tabulate(a.length)(k => a(k) + b(k))
}
