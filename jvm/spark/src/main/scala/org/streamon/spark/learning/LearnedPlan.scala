package org.streamon.spark.learning

import java.time.Instant

import org.streamon.spark.metrics.FilterReport

/** What tasks have learned of one operator: the plan for the next to begin with.
  *
  * @param order
  *   written positions, in the order to begin with
  * @param guards
  *   pairs (guard, guarded) learned from rows on which the second raised
  * @param learned
  *   when it was told last
  * @param evaluations
  *   of conjuncts, a row: what it took
  * @param asWritten
  *   what the written order would have taken, by the profiled rows; none where that is not measured
  */
final case class LearnedPlan(
    order: IndexedSeq[Int],
    guards: Seq[(Int, Int)],
    learned: Instant,
    evaluations: Double,
    asWritten: Option[Double]
) {

  /** Whether it is a plan for so many conjuncts. A folder may hold anything. */
  def fits(size: Int): Boolean = {
    val positions = 0 until size
    order.sorted == positions && guards.forall { case (a, b) =>
      positions.contains(a) && positions.contains(b)
    }
  }

  def isSamePlan(other: LearnedPlan): Boolean = order == other.order && guards == other.guards

  /** What it takes in memory, about. */
  def bytes: Long = 300L + 4L * order.size + 60L * guards.size
}

object LearnedPlan {

  /** What an operator has learned so far; none when it has sampled nothing, and so knows nothing. */
  def of(report: FilterReport): Option[LearnedPlan] = Option.when(report.profiled > 0) {
    LearnedPlan(
      report.order,
      report.guards,
      Instant.now,
      report.evaluations.sum.toDouble / report.inputRows,
      report.writtenEvaluations.map(_.toDouble / report.profiled)
    )
  }
}
