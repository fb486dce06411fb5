package org.streamon.spark.matching

import org.apache.spark.sql.{classic, Row, SparkSession, SparkSessionExtensions}
import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation
import org.apache.spark.sql.catalyst.types.DataTypeUtils
import org.apache.spark.sql.execution.command.LeafRunnableCommand
import org.apache.spark.sql.types.StructType
import org.streamon.spark.errors.RuleError
import org.streamon.spark.matching.conditions.NamedCondition
import org.streamon.spark.matching.streams.{ChangingRules, QueryRules}
import org.streamon.spark.util.TableFunction
import org.streamon.spark.util.TableFunction.Text

/** The table functions `streamon_rules`, `streamon_add_rule` and `streamon_remove_rule`, about the rules of a
  * running query. Each returns the rules, with the change.
  *
  * A change may be asked for twice: a client of Spark Connect has a statement executed for its schema, and
  * for its rows.
  */
object RuleFunctions {
  private val Rules = "streamon_rules"
  private val AddRule = "streamon_add_rule"
  private val RemoveRule = "streamon_remove_rule"

  val all: Seq[SparkSessionExtensions#TableFunctionDescription] = Seq(
    TableFunction(getClass, Rules, "_FUNC_(query) - the rules of a running query") {
      case Seq(Text(query)) =>
        val session = classic.SparkSession.active
        LocalRelation.fromExternalRows(columns, rows(QueryRules.named(session, query)))
      case others => throw wrong(Rules, "query", others)
    },
    TableFunction(
      getClass,
      AddRule,
      "_FUNC_(query, rule, condition) - adds a rule to a running query, or changes its condition"
    ) {
      case Seq(Text(query), Text(rule), Text(condition)) => ChangeRule(query, rule, Some(condition))
      case others => throw wrong(AddRule, "query, rule, condition", others)
    },
    TableFunction(getClass, RemoveRule, "_FUNC_(query, rule) - removes a rule from a running query") {
      case Seq(Text(query), Text(rule)) => ChangeRule(query, rule, None)
      case others                       => throw wrong(RemoveRule, "query, rule", others)
    }
  )

  private def wrong(function: String, needed: String, found: Seq[Expression]) =
    RuleError.badTexts(function, needed, found.map(TableFunction.shown))

  private[matching] def columns: Seq[Attribute] = DataTypeUtils.toAttributes(
    StructType.fromDDL(
      "call INT NOT NULL, rule STRING NOT NULL, condition STRING NOT NULL, state STRING NOT NULL, reason STRING"
    )
  )

  /** @param calls
    *   of `streamon_match` in one query
    */
  private[matching] def rows(calls: Seq[ChangingRules]): Seq[Row] = for {
    (rules, call) <- calls.zipWithIndex
    status <- rules.statuses
  } yield Row(call, status.rule.rule, status.rule.condition, status.state, status.reason.orNull)
}

/** Adds a rule to a running query, or removes it.
  *
  * @param condition
  *   none to remove the rule
  */
private[matching] case class ChangeRule(query: String, rule: String, condition: Option[String])
    extends LeafRunnableCommand {
  override val output: Seq[Attribute] = RuleFunctions.columns

  override def run(session: SparkSession): Seq[Row] =
    QueryRules.named(session.asInstanceOf[classic.SparkSession], query) match {
      case calls @ Seq(rules) =>
        condition.fold(rules.remove(rule))(text => rules.add(NamedCondition(rule, text)))
        RuleFunctions.rows(calls)
      case calls => throw RuleError.severalCalls(query, calls.size)
    }
}
