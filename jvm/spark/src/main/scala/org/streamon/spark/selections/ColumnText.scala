package org.streamon.spark.selections

import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeReference, Expression}

/** Expressions as people read them: without the names of the tables that columns come from. */
private[spark] object ColumnText {
  def apply(e: Expression): String = e.transform { case a: Attribute =>
    AttributeReference(a.name, a.dataType, a.nullable)(a.exprId)
  }.sql
}
