package org.streamon.spark.expressions

import scala.util.Try

import org.apache.spark.sql.catalyst.expressions.{Alias, Cast, Expression, Literal}
import org.apache.spark.sql.catalyst.optimizer.{ReplaceExpressions, SpecialDatetimeValues}
import org.apache.spark.sql.catalyst.plans.logical.{OneRowRelation, Project}
import org.apache.spark.sql.catalyst.trees.TreePattern.CURRENT_LIKE
import org.apache.spark.sql.types.{DateType, StringType, TimestampNTZType, TimestampType}

/** Whether an expression reads the clock itself, and not by its operands. Spark gives it one value for each
  * query, and for each micro-batch.
  */
private[spark] object ReadsClock {
  def apply(e: Expression): Boolean = e match {
    // DATE'today' is one day, CAST('today' AS DATE) is that of each query.
    case cast @ Cast(text, DateType | TimestampType | TimestampNTZType, _, _) if isConstantText(text) =>
      isSpecial(cast)
    case _ => e.containsPattern(CURRENT_LIKE) && !e.children.exists(_.containsPattern(CURRENT_LIKE))
  }

  private def isConstantText(e: Expression) = e.references.isEmpty && e.dataType.isInstanceOf[StringType]

  /** Whether Spark puts a time in its place. False if the text cannot be computed. */
  private def isSpecial(cast: Cast): Boolean = Try {
    val alone = ReplaceExpressions(Project(Seq(Alias(cast, "time")()), OneRowRelation()))
    SpecialDatetimeValues(alone).expressions.flatMap(_.children)
  }.toOption.exists(_.forall(_.isInstanceOf[Literal]))
}
