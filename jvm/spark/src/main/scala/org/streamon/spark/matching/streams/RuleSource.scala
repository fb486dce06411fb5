package org.streamon.spark.matching.streams

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.internal.SQLConf
import org.streamon.spark.matching.conditions._

/** Where the rules of a call over a stream come from.
  *
  * @param rows
  *   that the rules are about, as they were analyzed
  * @param table
  *   of the rules, analyzed
  * @param isConstant
  *   whether the table always has the same rules
  * @param found
  *   in the table when the call was analyzed
  * @param initial
  *   those that are valid
  */
private[matching] final class RuleSource private (
    val rows: LogicalPlan,
    val table: LogicalPlan,
    val isConstant: Boolean,
    val found: RuleRows.Found,
    val initial: RulesInForce
) {
  override def equals(other: Any): Boolean = other match {
    case that: RuleSource => (this eq that) || table.sameResult(that.table)
    case _                => false
  }
  override def hashCode: Int = table.semanticHash()
  override def toString: String = s"${found.rules.size} rules"
}

private[matching] object RuleSource {

  /** Reads the rules. Of a table that may change, those that are not valid are left out, so that a query
    * which has left them out can be started again; a new query refuses them in its first micro-batch.
    *
    * @throws org.streamon.spark.errors.RuleError
    *   for a rule of another table that is not valid
    */
  def apply(session: SparkSession, rows: LogicalPlan, table: LogicalPlan): RuleSource = {
    val isConstant = ConstantPlan(table)
    val found = RuleRows.read(session, table)
    val (set, rejected) =
      if (isConstant) (ResolvedRules.of(session, rows.output, found), Nil)
      else ResolvedRules.valid(session, rows.output, found.rules, ResolvedRules.empty)
    val plan = MatchPlan(rows, set, SQLConf.get)
    new RuleSource(rows, table, isConstant, found, new RulesInForce(found.rules, set, rejected, plan))
  }
}
