package org.streamon.spark.matching.conditions

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}
import org.apache.spark.sql.functions.col
import org.apache.spark.sql.streamon.Plans
import org.apache.spark.sql.types.StringType
import org.streamon.spark.errors.RuleError

/** Reads the rules from a table. */
private[matching] object RuleRows {
  private val Columns = Seq("rule", "condition")

  /** What a table has.
    *
    * @param rules
    *   in ascending order of the names
    * @param rejected
    *   rows without a name or a condition, and rules that have one name
    * @param rows
    *   as they came
    */
  final class Found private[RuleRows] (
      val rules: Seq[NamedCondition],
      val rejected: Seq[RejectedRule],
      private[RuleRows] val rows: Seq[Row]
  )

  private type Row = (Option[String], Option[String])

  /** @param table
    *   analyzed
    * @throws RuleError
    *   if it has no text columns `rule` and `condition`, has no rows, or is a stream
    */
  def read(session: SparkSession, table: LogicalPlan): Found = sorted(rowsOf(session, table))

  /** Reads the table as it is now: a relation of files has listed them when it was analyzed.
    *
    * @param last
    *   what it had before, which comes back if it has the same now
    */
  def readAgain(session: SparkSession, table: LogicalPlan, last: Found): Found = {
    table.foreachWithSubqueries {
      case relation: LogicalRelation =>
        relation.relation match {
          case files: HadoopFsRelation => files.location.refresh()
          case _                       => ()
        }
      case _ => ()
    }
    val rows = rowsOf(session, table)
    if (rows == last.rows) last else sorted(rows)
  }

  private def rowsOf(session: SparkSession, table: LogicalPlan): Seq[Row] = {
    if (table.isStreaming) throw RuleError.streamOfRules
    val resolver = session.sessionState.conf.resolver
    val found = Columns.map(name => table.output.filter(a => resolver(a.name, name)))
    if (!found.forall(f => f.size == 1 && f.head.dataType.isInstanceOf[StringType]))
      throw RuleError.noSuchColumns(table.output.map(a => s"${a.name} ${a.dataType.sql}"))
    val rows = RowsInPlan(table, found.map(_.head)) match {
      case Some(inPlan) =>
        // As a query would be, also by rules that other extensions inject.
        session.sessionState.analyzer.checkAnalysis(table)
        texts(inPlan)
      case None => queried(session, table)
    }
    if (rows.isEmpty) throw RuleError.none
    rows
  }

  private def texts(found: RowsInPlan.Found): Seq[Row] = {
    def text(row: InternalRow, k: Int) = Option(row.getUTF8String(found.ordinals(k))).map(_.toString)
    found.rows.map(row => (text(row, 0), text(row, 1)))
  }

  private def queried(session: SparkSession, table: LogicalPlan): Seq[Row] =
    Plans.frame(session, table).select(Columns.map(col): _*).collect().toSeq.map { row =>
      (Option(row.getString(0)), Option(row.getString(1)))
    }

  private def sorted(rows: Seq[Row]): Found = {
    val (incomplete, complete) = rows.partitionMap { case (rule, condition) =>
      val row = NamedCondition(rule.getOrElse(""), condition.getOrElse(""))
      if (row.isComplete) Right(row) else Left(RejectedRule(row, RuleError.incomplete(rule, condition)))
    }
    val (once, twice) = complete.groupBy(_.rule).values.toSeq.partition(_.size == 1)
    val ambiguous = twice.map(_.sorted).map { of =>
      RejectedRule(of.head, RuleError.twice(of.head.rule, of.head.condition, of(1).condition))
    }
    new Found(once.flatten.sorted, (incomplete ++ ambiguous).sortBy(_.rule), rows)
  }
}
