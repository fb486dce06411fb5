package org.streamon.spark.hints

import org.apache.spark.internal.Logging
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.streamon.StreamonConf
import org.streamon.spark.errors.HintError
import org.streamon.spark.logical.FilterHint
import org.streamon.spark.settings.HintOptions

/** Takes `ADAPTIVE_FILTER` out of the plan and marks the conjuncts of the hinted block with it. Where
  * StreaMon is switched off, a bad one is ignored with a warning, as Spark ignores hints that it does not
  * know.
  *
  * @throws HintError
  *   when it has an option that it cannot have
  */
object ResolveAdaptiveFilterHint extends Rule[LogicalPlan] with Logging {
  private val Name = "ADAPTIVE_FILTER"

  override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperatorsUp {
    case UnresolvedHint(name, parameters, block) if name.equalsIgnoreCase(Name) =>
      HintOptions.ofFilters.parse(parameters.map(JoinInputs.asText)) match {
        case Left(problem) if conf.getConf(StreamonConf.Enabled) => throw HintError.badOption(Name, problem)
        case Left(problem)                                       =>
          logWarning(s"$Name is ignored: $problem")
          block
        case Right(options) =>
          val hinted = Marking.conjuncts(block)(FilterHint.mark(_, FilterHint(options)))
          if (hinted eq block) logWarning(s"$Name has no effect: the block that carries it has no filter.")
          hinted
      }
  }
}
