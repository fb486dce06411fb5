package org.streamon.spark.learning

import java.time.Instant

import org.streamon.spark.metrics.{FilterReport, Guard}
import org.streamon.spark.routes.RouteText

/** The order that tasks have learned for one operator. The next tasks start with it.
  *
  * @param order
  *   written positions, in the order to start with
  * @param learned
  *   the time of the last report
  * @param evaluations
  *   evaluations of conjuncts for each row
  * @param asWritten
  *   the same for the written order, estimated from the profiled rows. None if it is not measured
  * @param routes
  *   where rows of several kinds have an order each: these orders, as [[org.streamon.spark.routes.RouteText]]
  */
final case class LearnedPlan(
    order: IndexedSeq[Int],
    guards: Seq[Guard],
    learned: Instant,
    evaluations: Double,
    asWritten: Option[Double],
    routes: Option[String] = None
) {

  /** Whether it is a plan for so many conjuncts. A folder may hold anything. */
  def fits(size: Int): Boolean = {
    val positions = 0 until size
    order.sorted == positions && guards.forall(g =>
      positions.contains(g.first) && positions.contains(g.second)
    )
  }

  def isSamePlan(other: LearnedPlan): Boolean =
    order == other.order && guards == other.guards && routes == other.routes

  /** Without the guards that no longer hold.
    *
    * @param now
    *   milliseconds since the epoch
    */
  def at(now: Long): LearnedPlan =
    if (guards.forall(_.holds(now))) this else copy(guards = guards.filter(_.holds(now)))

  /** What it takes in memory, about. */
  def bytes: Long = 300L + 4L * order.size + 80L * guards.size + 2L * routes.fold(0)(_.length)
}

object LearnedPlan {

  /** Whether an operator cannot have such routes: by its algorithm, or since it lacks their columns. */
  def isBeyond(routes: String, report: FilterReport): Boolean =
    report.texts.attributes.isEmpty ||
      RouteText.fitting(routes, report.texts.attributes, report.conjuncts.size).isEmpty

  /** What an operator has learned so far; none when it has sampled nothing, and so knows nothing. */
  def of(report: FilterReport): Option[LearnedPlan] = Option.when(report.profiled > 0) {
    val now = Instant.now
    LearnedPlan(
      report.order,
      report.guards,
      now,
      report.evaluations.sum.toDouble / report.inputRows,
      report.writtenEvaluations.map(_.toDouble / report.profiled),
      report.routes.majority
        .filterNot(_.counts.routes.isSingle)
        .map(r => RouteText.write(r.counts.routes, r.attributes))
    ).at(now.toEpochMilli)
  }
}
