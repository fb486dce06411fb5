package org.streamon.spark.matching

import java.util.Locale

import scala.util.Try
import scala.util.control.NonFatal

import org.apache.spark.sql.SparkSessionExtensions
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.{Filter, Generate, LogicalPlan, Project}
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streamon.StreamonConf
import org.apache.spark.sql.types.{ArrayType, StringType}
import org.apache.spark.unsafe.types.UTF8String
import org.streamon.spark.errors.RuleError
import org.streamon.spark.learning.Structure
import org.streamon.spark.logical.MatchRules
import org.streamon.spark.selections.{RaisingColumns, SentSelections, SharedSelections, SimplifyConditions}
import org.streamon.spark.util.TableFunction

/** The table function `streamon_match(TABLE(rows), TABLE(rules))`: the rows of which some rule holds, with
  * the names of those rules in a column `rules`. With a third argument `'exploded'` there is a row for each
  * rule that holds, and its name is in a column `rule`.
  *
  * The rules are read when a call is analyzed.
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
    case Seq(Table(rows), Table(rules))                 => of(rows, rules, isExploded = false)
    case Seq(Table(rows), Table(rules), Text(Arrays))   => of(rows, rules, isExploded = false)
    case Seq(Table(rows), Table(rules), Text(Exploded)) => of(rows, rules, isExploded = true)
    case others => throw RuleError.badArguments(Name, others.map(TableFunction.shown))
  }

  private def of(rows: LogicalPlan, table: LogicalPlan, isExploded: Boolean): LogicalPlan = {
    val session = SparkSession.active
    val conf = SQLConf.get
    val name = if (isExploded) "rule" else "rules"
    if (rows.output.exists(a => conf.resolver(a.name, name))) throw RuleError.takenColumn(name)
    val rules = RuleRows.read(session, table)
    val conditions = ResolveConditions(session, rows.output, rules)
    val (matching, names) =
      if (conf.getConf(StreamonConf.Enabled)) shared(rows, rules, conditions, conf)
      else stock(rows, rules.map(_.rule).zip(conditions))
    if (isExploded) exploded(rows, matching, names)
    else Project(rows.output :+ Alias(names, name)(), matching)
  }

  private def shared(
      rows: LogicalPlan,
      rules: Seq[NamedCondition],
      conditions: Seq[Expression],
      conf: SQLConf
  ) = {
    val limit = conf.getConf(StreamonConf.MatchMemory)
    val shared =
      try SharedSelections(rules.map(_.rule).zip(conditions), RaisingColumns.of(rows), limit)
      catch { case NonFatal(error) => throw wrongConstant(rules, conditions).getOrElse(error) }
    val timed = if (shared.clocks.isEmpty) rows else Project(rows.output ++ shared.clocks, rows)
    val names = AttributeReference("rules", ArrayType(StringType, containsNull = false), nullable = false)()
    val sent = new SentSelections(shared.selections, identity(rows, rules, conditions, conf))
    (MatchRules(shared.columns, shared.read, sent, names, timed), names)
  }

  /** Of a rule whose constants cannot be computed. */
  private def wrongConstant(rules: Seq[NamedCondition], conditions: Seq[Expression]): Option[RuleError] =
    rules.iterator
      .zip(conditions)
      .flatMap { case (NamedCondition(rule, text), condition) =>
        Try(SimplifyConditions(Seq(condition))).failed.toOption.map(RuleError.unresolved(rule, text, _))
      }
      .nextOption()

  /** What conditions mean depends on the columns, the settings and the functions, beside their texts. */
  private def identity(
      rows: LogicalPlan,
      rules: Seq[NamedCondition],
      conditions: Seq[Expression],
      conf: SQLConf
  ): Structure = {
    val columns = rows.output.flatMap(a => Seq(a.name, a.dataType.sql))
    val settings = conf.getAllConfs.toSeq.sorted.flatMap { case (key, value) => Seq(key, value) }
    val functions = conditions.flatMap(_.collect { case f: ScalaUDF =>
      System.identityHashCode(f.function).toString
    })
    Structure("rules", rules.flatMap(r => Seq(r.rule, r.condition)) ++ columns ++ settings ++ functions)
  }

  /** The same by Spark alone, for when StreaMon is off. */
  private def stock(rows: LogicalPlan, conditions: Seq[(String, Expression)]) = {
    val cases = conditions.map { case (rule, condition) =>
      If(condition, Literal(rule), Literal(null, StringType))
    }
    val names = Alias(new ArrayCompact(CreateArray(cases)), "rules")()
    val matched = Project(rows.output :+ names, rows)
    (
      Filter(GreaterThan(Size(names.toAttribute, legacySizeOfNull = false), Literal(0)), matched),
      names.toAttribute
    )
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

  private object Text {
    def unapply(argument: Expression): Option[String] = argument match {
      case Literal(text: UTF8String, _) => Some(text.toString.toLowerCase(Locale.ROOT))
      case _                            => None
    }
  }
}
