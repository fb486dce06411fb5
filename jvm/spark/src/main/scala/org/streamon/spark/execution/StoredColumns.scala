package org.streamon.spark.execution

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, AttributeSet, NamedExpression}
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.exchange.Exchange
import org.streamon.spark.expressions.MayRaise

/** Whether a plan passes on columns as they are stored. Other columns are computed when a conjunct first
  * reads them, which may raise an error. In strict mode such a conjunct counts as one that may raise.
  */
object StoredColumns {
  def in(plan: SparkPlan): Boolean = plan.outputSet.subsetOf(of(plan))

  /** The stored ones among the columns of a plan. */
  def of(plan: SparkPlan): AttributeSet = passed(plan) {
    case _: Attribute           => true
    case Alias(_: Attribute, _) => true
    case _                      => false
  }

  /** The columns of a plan whose computation raises no error: those that are stored, and some others. */
  def neverRaising(plan: SparkPlan): AttributeSet = passed(plan) {
    case Alias(computed, _) => computed.deterministic && !MayRaise(computed)
    case column             => column.isInstanceOf[Attribute]
  }

  /** @param keeps
    *   whether a column that is made of such columns is one of them
    */
  private def passed(plan: SparkPlan)(keeps: NamedExpression => Boolean): AttributeSet = plan match {
    case _: LeafExecNode | _: Exchange | _: InputAdapter => plan.outputSet
    case project: ProjectExec                            =>
      val below = passed(project.child)(keeps)
      AttributeSet(
        project.projectList.filter(e => e.references.subsetOf(below) && keeps(e)).map(_.toAttribute)
      )
    case filter: FilterExec            => passed(filter.child)(keeps)
    case filter: AdaptiveFilterExec    => passed(filter.child)(keeps)
    case sort: SortExec                => passed(sort.child)(keeps)
    case transition: ColumnarToRowExec => passed(transition.child)(keeps)
    case _                             => AttributeSet.empty
  }
}
