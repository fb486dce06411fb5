package org.streamon.spark.logical

import org.apache.spark.sql.catalyst.expressions.{Expression, LeafExpression}
import org.apache.spark.sql.catalyst.trees.TreeNodeTag

/** The content of an `ADAPTIVE_FILTER` hint. It is a tag of the conjuncts, so that push-down, pruning and all
  * other rules see the same plan as without the hint.
  *
  * @param options
  *   values by the name of the option, which is a setting without `spark.streamon.filter.`
  */
case class FilterHint(options: Map[String, String])

object FilterHint {
  val none: FilterHint = FilterHint(Map.empty)

  private val tag = TreeNodeTag[FilterHint]("streamon.adaptiveFilter")

  /** Marks the nodes of a condition that is nobody else's. Leaves are left out: the optimizer shares some,
    * such as the literal TRUE, between all queries. Of two nested hints the inner one stands.
    */
  def mark(condition: Expression, hint: FilterHint): Unit = condition.foreach {
    case _: LeafExpression             => ()
    case node if node.containsTag(tag) => ()
    case node                          => node.setTagValue(tag, hint)
  }

  /** The hint that a condition carries, however much of it the optimizer has rewritten. */
  def on(condition: Expression): Option[FilterHint] = condition.collectFirst {
    case node if !node.isInstanceOf[LeafExpression] && node.containsTag(tag) => node.getTagValue(tag).get
  }
}
