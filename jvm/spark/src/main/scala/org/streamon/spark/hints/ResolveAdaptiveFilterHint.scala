package org.streamon.spark.hints

import org.apache.spark.internal.Logging
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule
import org.streamon.spark.errors.HintError
import org.streamon.spark.logical.FilterHint
import org.streamon.spark.settings.HintOptions

/** Removes `ADAPTIVE_FILTER` from the plan and marks the conjuncts of the hinted block.
  *
  * @throws HintError
  *   when an option is invalid
  */
object ResolveAdaptiveFilterHint extends Rule[LogicalPlan] with Logging {
  private val Name = "ADAPTIVE_FILTER"

  override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperatorsUp {
    case UnresolvedHint(name, parameters, block) if name.equalsIgnoreCase(Name) =>
      BadHint.ignoredWhenOff(block) {
        val options = HintOptions.ofFilters
          .parse(parameters.map(JoinInputs.asText))
          .fold(problem => throw HintError.badOption(Name, problem), identity)
        val hinted = Marking.conjuncts(block)(FilterHint.mark(_, FilterHint(options)))
        if (hinted eq block) logWarning(s"The hint $Name has no effect: its block has no filter.")
        hinted
      }
  }
}
