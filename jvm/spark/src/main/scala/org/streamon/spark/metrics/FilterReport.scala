package org.streamon.spark.metrics

/** The driver's record of one adaptive filter of a query. Arrays are by written position.
  *
  * @param guards
  *   that some task has learned
  * @param writtenEvaluations
  *   that the profiled rows would take in written order; none where that is not measured
  */
final case class FilterReport(
    query: String,
    texts: FilterTexts,
    evaluations: Array[Long],
    drops: Array[Long],
    votes: OrderVotes = OrderVotes.none,
    guards: Seq[Guard] = Nil,
    inputRows: Long = 0L,
    outputRows: Long = 0L,
    profiled: Long = 0L,
    writtenEvaluations: Option[Long] = None,
    reorders: Long = 0L,
    reevaluated: Long = 0L,
    routes: RouteReports = RouteReports.none
) {
  def operator: String = texts.operator
  def algorithm: String = texts.algorithm
  def conjuncts: IndexedSeq[String] = texts.conjuncts

  /** The order that most rows of late went through. */
  def order: IndexedSeq[Int] = votes.majority.getOrElse(conjuncts.indices)

  /** What it takes in memory, about. */
  def bytes: Long = texts.bytes + votes.bytes + 80L * guards.size + routes.bytes

  /** The same filter with the counts of another task, and what it is called by then. Of equal texts those are
    * kept that are here already, so that there are not as many as micro-batches.
    */
  def and(task: FilterCounts, called: FilterTexts): FilterReport = copy(
    texts = if (called.conjuncts == conjuncts) called.copy(conjuncts = conjuncts) else called,
    votes = votes.and(task),
    guards = if (task.guards.forall(guards.contains)) guards else Guard.latest(guards ++ task.guards),
    evaluations = FilterReport.added(evaluations, task.evaluations),
    drops = FilterReport.added(drops, task.drops),
    inputRows = inputRows + task.inputRows,
    outputRows = outputRows + task.outputRows,
    profiled = profiled + task.profiled,
    writtenEvaluations = task.asWritten.map(_ + writtenEvaluations.getOrElse(0L)),
    reorders = reorders + task.reorders,
    reevaluated = reevaluated + task.reevaluated,
    routes = task.routes.fold(RouteReports.none)(routes.and(task.executor, _, called.attributes))
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
    FilterReport(query, texts, none, none)
  }

  private def added(a: Array[Long], b: Array[Long]): Array[Long] = Array.tabulate(a.length)(k => a(k) + b(k))
}
