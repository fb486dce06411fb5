package org.streamon.spark.selections

import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeReference, Expression}

/** Tells whether expressions are the same, operand by operand. Spark's canonical form would also find those
  * the same whose operands are in another order: they may give other sums, and raise other errors.
  */
private[spark] object SameExpression {

  /** Equal for expressions that are the same. That of an attribute costs little: rules have many. */
  def key(e: Expression): Any = e match {
    case a: Attribute => a.exprId
    case _            =>
      e.transform { case a: Attribute =>
        // Its name may be written in several ways.
        AttributeReference("", a.dataType, a.nullable)(a.exprId)
      }
  }
}
