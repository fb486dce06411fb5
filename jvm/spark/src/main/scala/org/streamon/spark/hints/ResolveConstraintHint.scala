package org.streamon.spark.hints

import java.util.Locale

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Replaces `UNIQUE(b, pid)` and `K_CONSTRAINT('RIDS', c, b, 1000)` by a [[ConstrainedJoins]] above the joins
  * of the block. Names are looked up later, by [[ApplyConstraintHint]], when the plan is resolved.
  */
object ResolveConstraintHint extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperatorsUp {
    case UnresolvedHint(name, parameters, block) if ConstraintHint.Names.exists(_.equalsIgnoreCase(name)) =>
      val hint = ConstraintHint(name.toUpperCase(Locale.ROOT), parameters.map(JoinInputs.asText))
      JoinInputs
        .above(block, intoSubqueries = true)(ConstrainedJoins(hint, _))
        .getOrElse(ConstrainedJoins(hint, block))
  }
}

/** A hint that declares a constraint, as written. */
final case class ConstraintHint(name: String, parameters: Seq[String]) {
  def text: String = parameters.mkString(s"$name(", ", ", ")")
}

private[hints] object ConstraintHint {
  val Unique = "UNIQUE"
  val Adheres = "K_CONSTRAINT"
  val Names: Seq[String] = Seq(Unique, Adheres)
}

/** Keeps a declaration above its joins until they are resolved. */
case class ConstrainedJoins(hint: ConstraintHint, child: LogicalPlan) extends UnaryNode {
  override def output: Seq[Attribute] = child.output
  override protected def withNewChildInternal(newChild: LogicalPlan): ConstrainedJoins =
    copy(child = newChild)
}
