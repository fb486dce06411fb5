package org.streamon.spark.hints

import org.apache.spark.internal.Logging
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule
import org.streamon.spark.planning.{FilterHint, HintOptions}

/** Takes `ADAPTIVE_FILTER` out of the plan and marks the conjuncts of the hinted block with it. Bad options
  * make the hint void with a warning, as Spark does with hints that it does not know: the query still runs.
  */
object ResolveAdaptiveFilterHint extends Rule[LogicalPlan] with Logging {
  private val Name = "ADAPTIVE_FILTER"

  override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperatorsUp {
    case UnresolvedHint(name, parameters, block) if name.equalsIgnoreCase(Name) =>
      HintOptions.ofFilters.parse(parameters.map(JoinInputs.asText)) match {
        case Left(problem)  => logWarning(s"$Name is ignored: $problem"); block
        case Right(options) =>
          val hinted = Marking.conjuncts(block)(FilterHint.mark(_, FilterHint(options)))
          if (hinted eq block) logWarning(s"$Name has no effect: the block that carries it has no filter.")
          hinted
      }
  }
}
