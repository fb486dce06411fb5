package org.streamon.spark.logical

import org.apache.spark.sql.catalyst.expressions.{Expression, LeafExpression}
import org.apache.spark.sql.catalyst.trees.TreeNodeTag

/** What an `ADAPTIVE_FILTER` hint says. It travels on the conjuncts themselves, as a tag, so that push-down,
  * pruning and every other rule see the plan they would see without it.
  *
  * @param options
  *   option name, as in the confs without `spark.streamon.filter.`, to value
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
