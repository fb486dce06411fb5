package org.streamon.spark.execution

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute}
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.exchange.Exchange

/** Whether a plan passes on columns as they are stored. Other columns are computed when a conjunct first
  * reads them, which may raise an error. In strict mode such a conjunct counts as one that may raise.
  */
object StoredColumns {
  def in(plan: SparkPlan): Boolean = plan match {
    case _: LeafExecNode | _: Exchange => true
    case project: ProjectExec          =>
      in(project.child) && project.projectList.forall {
        case _: Attribute           => true
        case Alias(_: Attribute, _) => true
        case _                      => false
      }
    case filter: FilterExec            => in(filter.child)
    case filter: AdaptiveFilterExec    => in(filter.child)
    case sort: SortExec                => in(sort.child)
    case transition: ColumnarToRowExec => in(transition.child)
    case _                             => false
  }
}
