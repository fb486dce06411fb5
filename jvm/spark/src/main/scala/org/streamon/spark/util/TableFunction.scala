package org.streamon.spark.util

import org.apache.spark.sql.SparkSessionExtensions
import org.apache.spark.sql.catalyst.FunctionIdentifier
import org.apache.spark.sql.catalyst.expressions.{
  Expression,
  ExpressionInfo,
  FunctionTableSubqueryArgumentExpression,
  Literal
}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.unsafe.types.UTF8String

/** What the table functions of StreaMon have in common. */
private[spark] object TableFunction {

  /** A function as a session takes it.
    *
    * @param of
    *   the class that has it
    * @param usage
    *   for `DESCRIBE FUNCTION`; `_FUNC_` stands for the name
    * @param plan
    *   of a call, by its arguments
    */
  def apply(of: Class[_], name: String, usage: String)(
      plan: Seq[Expression] => LogicalPlan
  ): SparkSessionExtensions#TableFunctionDescription = {
    val info =
      new ExpressionInfo(of.getName, null, name, usage, "", "", "", "table_funcs", "0.1.0", "", "built-in")
    (FunctionIdentifier(name), info, plan)
  }

  /** An argument as an error names it. */
  def shown(argument: Expression): String = argument match {
    case _: FunctionTableSubqueryArgumentExpression => "TABLE(...)"
    case other                                      => other.sql
  }

  /** An argument that is a text. */
  object Text {
    def unapply(argument: Expression): Option[String] = argument match {
      case Literal(text: UTF8String, _) => Some(text.toString)
      case _                            => None
    }
  }
}
