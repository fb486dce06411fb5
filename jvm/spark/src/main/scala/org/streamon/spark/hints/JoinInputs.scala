package org.streamon.spark.hints

import org.apache.spark.sql.catalyst.analysis.UnresolvedAttribute
import org.apache.spark.sql.catalyst.expressions.{Expression, Literal}
import org.apache.spark.sql.catalyst.plans.logical._

/** An input of the joins that a hint is about, and what it is called. */
private[hints] final case class JoinInput(name: String, plan: LogicalPlan) {
  def answersTo(asked: String): Boolean =
    name.equalsIgnoreCase(asked) || name.toLowerCase.endsWith("." + asked.toLowerCase)
}

private[hints] object JoinInputs {

  /** Puts a node of a hint just above the joins of the block, so that rules that look for the operators above
    * them still find these; none when the block has no joins.
    */
  def above(block: LogicalPlan)(node: Join => LogicalPlan): Option[LogicalPlan] = block match {
    case join: Join       => Some(node(join))
    case unary: UnaryNode => above(unary.child)(node).map(child => unary.withNewChildren(Seq(child)))
    case _                => None
  }

  /** The inputs of the joins at the top of a block. One without an alias has no name to be found by. */
  def of(block: LogicalPlan): Seq[JoinInput] = block match {
    case join: Join           => of(join.left) ++ of(join.right)
    case alias: SubqueryAlias =>
      Seq(JoinInput((alias.identifier.qualifier :+ alias.identifier.name).mkString("."), alias))
    case unary: UnaryNode if joinsBelow(unary) => of(unary.child)
    case other                                 => Seq(JoinInput("(no alias)", other))
  }

  /** A parameter of a hint as text: a name, or what stands in quotes. */
  def asText(parameter: Any): String = parameter match {
    case Literal(value, _)         => String.valueOf(value)
    case name: UnresolvedAttribute => name.nameParts.mkString(".")
    case e: Expression             => e.sql
    case other                     => String.valueOf(other)
  }

  private def joinsBelow(plan: LogicalPlan): Boolean = plan match {
    case _: SubqueryAlias => false
    case _: Join          => true
    case unary @ (_: Project | _: Filter | _: HintedJoins | _: WindowedJoins | _: UnresolvedHint |
        _: ResolvedHint) =>
      unary.children.exists(joinsBelow)
    case _ => false
  }
}
