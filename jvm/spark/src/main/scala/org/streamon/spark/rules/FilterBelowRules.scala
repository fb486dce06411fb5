package org.streamon.spark.rules

import org.apache.spark.sql.catalyst.expressions.{And, PredicateHelper}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.streamon.spark.expressions.MayRaise
import org.streamon.spark.logical.MatchRules
import org.streamon.spark.selections.RaisingColumns

/** Brings filters below rules, so that they reach the scan. A filter stays that may raise an error, or that
  * reads a column whose computation may: rows of which no rule holds would raise it too.
  */
object FilterBelowRules extends Rule[LogicalPlan] with PredicateHelper {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case filter @ Filter(condition, rules: MatchRules) =>
      val allowed = rules.child.outputSet -- RaisingColumns.of(rules.child)
      val (pushed, stays) = splitConjunctivePredicates(condition).partition { c =>
        c.deterministic && c.references.subsetOf(allowed) && !MayRaise(c)
      }
      if (pushed.isEmpty) filter
      else {
        val below = rules.copy(child = Filter(pushed.reduceLeft(And(_, _)), rules.child))
        stays.reduceLeftOption(And(_, _)).fold[LogicalPlan](below)(Filter(_, below))
      }
  }
}
