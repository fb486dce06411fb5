package org.streamon.spark.execution.selections

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, AttributeSet}
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
        case a: Attribute if below.contains(a)                   => a
        case alias @ Alias(a: Attribute, _) if below.contains(a) => alias.toAttribute
        case alias @ Alias(e, _) if !e.isInstanceOf[Attribute]   => alias.toAttribute
      })
    case _ => AttributeSet.empty
  }
}
