package org.streamon.spark.matching

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.functions.col
import org.apache.spark.sql.streamon.Plans
import org.apache.spark.sql.types.StringType
import org.apache.spark.unsafe.types.UTF8String
import org.streamon.spark.errors.RuleError

/** Reads the rules from a table. */
private[matching] object RuleRows {
  private val Columns = Seq("rule", "condition")

  /** In ascending order of the names.
    *
    * @param table
    *   analyzed
    * @throws RuleError
    *   if it has no text columns `rule` and `condition`, or a row that is no rule
    */
  def read(session: SparkSession, table: LogicalPlan): Seq[NamedCondition] = {
    if (table.isStreaming) throw RuleError.streamOfRules
    val resolver = session.sessionState.conf.resolver
    val found = Columns.map(name => table.output.filter(a => resolver(a.name, name)))
    if (!found.forall(f => f.size == 1 && f.head.dataType.isInstanceOf[StringType]))
      throw RuleError.noSuchColumns(table.output.map(a => s"${a.name} ${a.dataType.sql}"))
    val rows = Plans.frame(session, table).select(Columns.map(col): _*).collect()
    val rules = rows.toSeq
      .map { row =>
        val (rule, condition) = (Option(row.getString(0)), Option(row.getString(1)))
        if (!rule.exists(_.trim.nonEmpty) || !condition.exists(_.trim.nonEmpty))
          throw RuleError.incomplete(rule, condition)
        NamedCondition(rule.get, condition.get)
      }
      .sortBy(r => (UTF8String.fromString(r.rule), r.condition))
    if (rules.isEmpty) throw RuleError.none
    rules.zip(rules.drop(1)).find { case (a, b) => a.rule == b.rule }.foreach { case (a, b) =>
      throw RuleError.twice(a.rule, a.condition, b.condition)
    }
    rules
  }
}
