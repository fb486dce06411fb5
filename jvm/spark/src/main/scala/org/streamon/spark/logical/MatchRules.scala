package org.streamon.spark.logical

import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet, Expression, ExpressionSet}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, UnaryNode}
import org.streamon.spark.selections.SentSelections

/** The rows of which some rule holds, with the rules that hold.
  *
  * The conditions are not expressions of this node: the optimizer would go through all of them in each of its
  * rules. Only what they read is.
  *
  * @param columns
  *   those that have a construct
  * @param read
  *   what residuals read
  * @param matched
  *   the rules that hold, in ascending order of their numbers: an array of their names, which are texts, or
  *   of their numbers, which are INTs
  * @param keepsAll
  *   whether rows of which no rule holds stay, with an empty array
  */
case class MatchRules(
    columns: Seq[Expression],
    read: Seq[Expression],
    rules: SentSelections,
    matched: Attribute,
    child: LogicalPlan,
    keepsAll: Boolean = false
) extends UnaryNode
    with MatchRulesText {
  override def output: Seq[Attribute] = child.output :+ matched
  override def producedAttributes: AttributeSet = AttributeSet(matched)

  /** Those of the rows below may come from the rules of one micro-batch, and Spark would apply them to what
    * the rows are joined with.
    */
  override protected lazy val validConstraints: ExpressionSet =
    if (isStreaming) ExpressionSet() else child.constraints
  override def maxRows: Option[Long] = child.maxRows
  override protected def withNewChildInternal(newChild: LogicalPlan): MatchRules = copy(child = newChild)
}
