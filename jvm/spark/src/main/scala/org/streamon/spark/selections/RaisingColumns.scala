package org.streamon.spark.selections

import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet, NamedExpression}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}
import org.streamon.spark.expressions.MayRaise

/** The columns of a plan that are computed from each row, and whose computation may raise an error. A
  * condition may guard such a column, since Spark computes it when a condition first reads it.
  */
private[spark] object RaisingColumns {
  def of(plan: LogicalPlan): AttributeSet = {
    val below = AttributeSet(plan.children.flatMap(of))
    plan match {
      case project: Project =>
        AttributeSet(project.projectList.collect {
          case a: Attribute if below.contains(a)                                    => a
          case e: NamedExpression if !e.isInstanceOf[Attribute] && raises(e, below) => e.toAttribute
        })
      case other => AttributeSet(other.output.filter(below.contains))
    }
  }

  private def raises(e: NamedExpression, below: AttributeSet) =
    e.children.exists(MayRaise(_)) || e.references.exists(below.contains)
}
