package org.streamon.spark.logical

import org.apache.spark.sql.catalyst.expressions.{Expression, LeafExpression}
import org.apache.spark.sql.catalyst.plans.logical.Join
import org.apache.spark.sql.catalyst.trees.TreeNodeTag

/** The content of an `MJOIN` hint. It is a tag of the join conditions, so that all rules up to the end of
  * operator optimization see the same joins as without the hint. These rules may reorder and merge joins.
  *
  * @param inputs
  *   the names in the hint; empty for the whole tree
  * @param options
  *   values by the name of the option, which is a setting without `spark.streamon.join.`
  */
case class MJoinHint(inputs: Seq[String], options: Map[String, String])

object MJoinHint {
  private val tag = TreeNodeTag[MJoinHint]("streamon.mjoin")

  /** Marks the nodes of a conjunct that is nobody else's. Leaves are left out: the optimizer shares some. */
  def mark(conjunct: Expression, hint: MJoinHint): Unit = conjunct.foreach {
    case _: LeafExpression => ()
    case node              => node.setTagValue(tag, hint)
  }

  /** What the query calls the inputs that the children of a conjunct read, each if it is one. */
  private val names = TreeNodeTag[Seq[Option[String]]]("streamon.mjoin.names")

  def name(conjunct: Expression, inputs: Seq[Option[String]]): Unit = conjunct match {
    case _: LeafExpression => ()
    case node              => node.setTagValue(names, inputs)
  }

  def namesOn(conjunct: Expression): Seq[Option[String]] = conjunct.getTagValue(names).getOrElse(Nil)

  /** Marks the join as well, where a conjunct of its condition is marked: Spark writes the conditions between
    * floating-point columns anew.
    */
  def mark(join: Join): Unit = join.condition.flatMap(on).foreach(join.setTagValue(tag, _))

  /** Whether a hint names the join. */
  def names(join: Join): Boolean = of(join).isDefined

  /** The hint that names the join. */
  def of(join: Join): Option[MJoinHint] = join.getTagValue(tag).orElse(join.condition.flatMap(on))

  private def on(condition: Expression): Option[MJoinHint] = condition.collectFirst {
    case node if !node.isInstanceOf[LeafExpression] && node.containsTag(tag) => node.getTagValue(tag).get
  }
}
