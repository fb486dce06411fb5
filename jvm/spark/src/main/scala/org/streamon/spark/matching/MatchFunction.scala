package org.streamon.spark.matching

import java.util.Locale

import org.apache.spark.sql.SparkSessionExtensions
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.{Generate, LogicalPlan, Project}
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.StringType
import org.streamon.spark.errors.RuleError
import org.streamon.spark.matching.conditions.{MatchPlan, ResolvedRules, RuleRows}
import org.streamon.spark.matching.streams.{MatchChangingRules, RuleSource}
import org.streamon.spark.util.TableFunction
import org.streamon.spark.util.TableFunction.Text

/** The table function `streamon_match(TABLE(rows), TABLE(rules))`: the rows of which some rule holds, with
  * the names of those rules in a column `rules`. With a third argument `'exploded'` there is a row for each
  * rule that holds, and its name is in a column `rule`.
  *
  * The rules are read when a call is analyzed, and over a stream in each micro-batch again.
  */
object MatchFunction {
  private val Name = "streamon_match"
  private val Arrays = "arrays"
  private val Exploded = "exploded"

  val description: SparkSessionExtensions#TableFunctionDescription = TableFunction(
    getClass,
    Name,
    "_FUNC_(TABLE(rows), TABLE(rules)[, 'arrays' | 'exploded']) - the rows for which some rule holds, with the names of " +
      "those rules. The table of rules has the text columns rule and condition."
  )(plan)

  private def plan(arguments: Seq[Expression]): LogicalPlan = arguments match {
    case Seq(Table(rows), Table(rules))               => of(rows, rules, isExploded = false)
    case Seq(Table(rows), Table(rules), Output(form)) => of(rows, rules, isExploded = form == Exploded)
    case others => throw RuleError.badArguments(Name, others.map(TableFunction.shown))
  }

  private def of(rows: LogicalPlan, table: LogicalPlan, isExploded: Boolean): LogicalPlan = {
    val session = SparkSession.active
    val conf = SQLConf.get
    val name = if (isExploded) "rule" else "rules"
    if (rows.output.exists(a => conf.resolver(a.name, name))) throw RuleError.takenColumn(name)
    val names = MatchPlan.names
    val matching =
      if (rows.isStreaming) MatchChangingRules(rows.output, RuleSource(session, rows, table), names, rows)
      else {
        val set = ResolvedRules.of(session, rows.output, RuleRows.read(session, table))
        MatchPlan(rows, set, conf).over(rows, rows.output, names)
      }
    if (isExploded) exploded(rows, matching, names)
    else Project(rows.output :+ Alias(names, name)(), matching)
  }

  private def exploded(rows: LogicalPlan, matching: LogicalPlan, names: Attribute) = {
    val rule = AttributeReference("rule", StringType, nullable = false)()
    Project(
      rows.output :+ rule,
      Generate(
        Explode(names),
        unrequiredChildIndex = Seq(matching.output.indexWhere(_.exprId == names.exprId)),
        outer = false,
        qualifier = None,
        generatorOutput = Seq(rule),
        matching
      )
    )
  }

  private object Table {

    /** A table in whole: neither partitioned nor correlated. */
    def unapply(argument: Expression): Option[LogicalPlan] = argument match {
      case t: FunctionTableSubqueryArgumentExpression
          if !t.hasRepartitioning && t.orderByExpressions.isEmpty && t.outerAttrs.isEmpty =>
        Some(t.plan)
      case _ => None
    }
  }

  private object Output {
    def unapply(argument: Expression): Option[String] =
      Text.unapply(argument).map(_.toLowerCase(Locale.ROOT)).filter(Set(Arrays, Exploded))
  }
}
