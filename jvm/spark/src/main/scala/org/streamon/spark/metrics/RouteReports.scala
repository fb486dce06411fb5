package org.streamon.spark.metrics

import org.streamon.core.routes.Attribute

/** The routes of the executors.
  *
  * @param latest
  *   the executor with the latest report comes first
  */
final case class RouteReports(latest: Vector[RouteReport]) {
  import RouteReports._

  /** Those that most rows of late went through. */
  def majority: Option[RouteReport] = latest.maxByOption(_.weight)

  /** With what a task has told. Rows are forgotten as in [[OrderVotes]]. A task may end after others that had
    * newer routes: these stay.
    */
  def and(executor: String, task: RouteCounts, attributes: IndexedSeq[Attribute]): RouteReports = {
    val kept = 1.0 - 0.5 / math.max(latest.size, 1)
    val (own, others) = latest.map(r => r.copy(weight = r.weight * kept)).partition(_.executor == executor)
    val fresh = RouteReport(executor, task.copy(changes = Nil), attributes, 0.0)
    val report = own.headOption match {
      case Some(known) if known.counts.created > task.created  => known
      case Some(known) if known.counts.created == task.created => known.and(task)
      case _                                                   => fresh
    }
    val weight = own.map(_.weight).sum + task.rows.sum
    RouteReports(report.copy(weight = weight) +: others.sortBy(-_.weight).take(Most - 1))
  }

  /** What they take in memory, about. */
  def bytes: Long = latest.map(_.bytes).sum
}

object RouteReports {

  /** Executors that are told apart. */
  private val Most = 32

  val none: RouteReports = RouteReports(Vector.empty)
}
