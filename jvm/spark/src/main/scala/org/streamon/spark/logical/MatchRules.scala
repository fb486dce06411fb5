package org.streamon.spark.logical

import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet, Expression, ExpressionSet}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, UnaryNode}
import org.streamon.spark.selections.SentSelections

/** The rows of which some rule holds, with the names of the rules that hold.
  *
  * The conditions are not expressions of this node: the optimizer would go through all of them in each of its
  * rules. Only what they read is.
  *
  * @param columns
  *   those that have a construct
  * @param read
  *   what residuals read
  * @param matched
  *   the names, as an array of texts in ascending order
  */
case class MatchRules(
    columns: Seq[Expression],
    read: Seq[Expression],
    rules: SentSelections,
    matched: Attribute,
    child: LogicalPlan
) extends UnaryNode {
  override def output: Seq[Attribute] = child.output :+ matched
  override def producedAttributes: AttributeSet = AttributeSet(matched)

  /** Those of the rows below may come from the rules of one micro-batch, and Spark would apply them to what
    * the rows are joined with.
    */
  override protected lazy val validConstraints: ExpressionSet =
    if (isStreaming) ExpressionSet() else child.constraints
  override def maxRows: Option[Long] = child.maxRows
  override protected def stringArgs: Iterator[Any] =
    Iterator(rules, columns.mkString("[", ", ", "]"), matched)
  override protected def withNewChildInternal(newChild: LogicalPlan): MatchRules = copy(child = newChild)
}
