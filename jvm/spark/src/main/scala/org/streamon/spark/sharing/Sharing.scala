package org.streamon.spark.sharing

import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.internal.SQLConf
import org.streamon.spark.errors.Refusal

/** Finds the places of a plan where conditions over the same rows can be evaluated together.
  *
  * @param decided
  *   gets an operator with what comes in its place, or the reason why nothing does, and tells what is to
  *   stand there
  */
final class Sharing(conf: SQLConf)(
    decided: (LogicalPlan, => Option[Either[Refusal, LogicalPlan]]) => LogicalPlan
) {
  private val arrays = new ShareArrays(conf)
  private val branches = new ShareBranches(conf)
  private val aggregates = new ShareAggregates(conf)

  def apply(plan: LogicalPlan): LogicalPlan = arraysOf(plan, readsAll = true).transformUp {
    case union: Union         => decided(union, Some(branches(union)))
    case aggregate: Aggregate => decided(aggregate, aggregates(aggregate))
  }

  /** From above: a filter below a projection may have the same array. */
  private def arraysOf(plan: LogicalPlan, readsAll: Boolean): LogicalPlan = {
    val shared = decided(plan, arrays(plan, readsAll))
    shared.mapChildren(arraysOf(_, readsAll && keepsRows(shared)))
  }

  /** Whether an operator reads all columns of all rows below it. */
  private def keepsRows(plan: LogicalPlan) = plan match {
    case _: Project | _: Union | _: Sort | _: RepartitionOperation => true
    case _                                                         => false
  }
}
