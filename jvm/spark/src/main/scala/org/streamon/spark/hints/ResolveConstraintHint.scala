package org.streamon.spark.hints

import java.util.Locale

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Takes `UNIQUE(b, pid)` and `K_CONSTRAINT('RIDS', c, b, 1000)` out of the plan and leaves
  * [[ConstrainedJoins]] where its joins are. What the names stand for is known when the plan is resolved, so
  * the rest is for [[ApplyConstraintHint]].
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

/** A hint that declares a constraint, as it is written. */
final case class ConstraintHint(name: String, parameters: Seq[String]) {
  def text: String = parameters.mkString(s"$name(", ", ", ")")
}

private[hints] object ConstraintHint {
  val Unique = "UNIQUE"
  val Adheres = "K_CONSTRAINT"
  val Names: Seq[String] = Seq(Unique, Adheres)
}

/** Stands above joins of which something is declared until they are resolved. */
case class ConstrainedJoins(hint: ConstraintHint, child: LogicalPlan) extends UnaryNode {
  override def output: Seq[Attribute] = child.output
  override protected def withNewChildInternal(newChild: LogicalPlan): ConstrainedJoins =
    copy(child = newChild)
}
