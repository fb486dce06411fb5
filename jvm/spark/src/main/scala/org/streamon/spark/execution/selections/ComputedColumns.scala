package org.streamon.spark.execution.selections

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, AttributeSet, Expression}
import org.apache.spark.sql.execution.{FilterExec, ProjectExec, SparkPlan}

/** The columns that a plan computes from each row, and does not read. In generated code Spark puts the
  * computation where a column is read, as often as it is.
  */
private[selections] object ComputedColumns {
  def of(plan: SparkPlan): AttributeSet = plan match {
    case filter: FilterExec   => of(filter.child)
    case project: ProjectExec =>
      val below = of(project.child)
      AttributeSet(project.projectList.collect {
        case a: Attribute if below.contains(a)              => a
        case alias: Alias if isComputed(alias.child, below) => alias.toAttribute
      })
    case _ => AttributeSet.empty
  }

  private def isComputed(e: Expression, below: AttributeSet) = e match {
    case a: Attribute => below.contains(a)
    case _            => true
  }
}
