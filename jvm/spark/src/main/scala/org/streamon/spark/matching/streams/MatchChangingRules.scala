package org.streamon.spark.matching.streams

import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, UnaryNode}

/** The rows of a stream of which some rule holds, with the names of the rules that hold. The rules may be
  * others in each micro-batch, so [[RulesOfMicroBatch]] puts the operator for its rules in the place of this
  * before a micro-batch is optimized.
  *
  * @param columns
  *   those of the rows, in the order in which the source has them
  * @param matched
  *   the names, as an array of texts in ascending order
  */
private[matching] case class MatchChangingRules(
    columns: Seq[Attribute],
    source: RuleSource,
    matched: Attribute,
    child: LogicalPlan
) extends UnaryNode {
  override def output: Seq[Attribute] = child.output :+ matched
  override def producedAttributes: AttributeSet = AttributeSet(matched)

  /** With the rules of a micro-batch. */
  def having(rules: RulesInForce): LogicalPlan =
    rules.plan.over(StatefulRows.pinned(child), columns, matched)

  override protected def stringArgs: Iterator[Any] = Iterator(source, matched)
  override protected def withNewChildInternal(newChild: LogicalPlan): MatchChangingRules =
    copy(child = newChild)
}
