package org.streamon.spark.matching

import scala.util.Try

import org.apache.spark.sql.catalyst.QueryPlanningTracker
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression
import org.apache.spark.sql.catalyst.plans.logical.{LocalRelation, LogicalPlan, Project}
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types.{BooleanType, NullType}
import org.streamon.spark.errors.RuleError

/** Makes expressions of the texts of rules, as Spark's analyzer understands them over the columns of the
  * rows.
  */
private[matching] object ResolveConditions {

  /** @param columns
    *   of the rows; conditions may name them with the names of their tables
    * @return
    *   the conditions, in the order of the rules
    * @throws RuleError
    *   for the first rule that is not valid
    */
  def apply(session: SparkSession, columns: Seq[Attribute], rules: Seq[NamedCondition]): Seq[Expression] = {
    val parsed = rules.map { case NamedCondition(rule, text) =>
      Try(session.sessionState.sqlParser.parseExpression(text)).recover { case cause: Exception =>
        throw RuleError.unparsed(rule, text, cause)
      }.get match {
        case _: Alias  => throw RuleError.unsupported(rule, text, "an alias")
        case condition => condition
      }
    }
    val row = LocalRelation(columns)
    val resolved = analyzed(session, row, parsed).getOrElse {
      val first = firstWrong(session, row, parsed)
      throw explain(session, row, rules(first), parsed(first))
    }
    for ((NamedCondition(rule, text), condition) <- rules.zip(resolved)) check(rule, text, condition)
    resolved.map(condition => if (condition.dataType == NullType) Literal(null, BooleanType) else condition)
  }

  /** None if any cannot be resolved, or needs an operator of its own, as an aggregate does. */
  private def analyzed(
      session: SparkSession,
      row: LogicalPlan,
      conditions: Seq[Expression]
  ): Option[Seq[Expression]] =
    plan(session, row, conditions).toOption.collect {
      case Project(list, _: LocalRelation) if list.size == conditions.size => list.flatMap(_.children)
    }

  private def plan(session: SparkSession, row: LogicalPlan, conditions: Seq[Expression]): Try[LogicalPlan] = {
    // No condition can name another by such a name.
    val list = conditions.zipWithIndex.map { case (c, k) => Alias(c, s"condition $k of streamon_match")() }
    Try(session.sessionState.analyzer.executeAndCheck(Project(list, row), new QueryPlanningTracker))
  }

  /** Of conditions of which one or more cannot be resolved, the first. */
  private def firstWrong(session: SparkSession, row: LogicalPlan, conditions: Seq[Expression]): Int =
    if (conditions.size == 1) 0
    else {
      val (left, right) = conditions.splitAt(conditions.size / 2)
      if (analyzed(session, row, left).isEmpty) firstWrong(session, row, left)
      else left.size + firstWrong(session, row, right)
    }

  private def explain(
      session: SparkSession,
      row: LogicalPlan,
      of: NamedCondition,
      condition: Expression
  ): RuleError =
    plan(session, row, Seq(condition)).fold(
      cause => RuleError.unresolved(of.rule, of.condition, cause),
      found => {
        val what = found.expressions.flatMap(_.flatMap(kindOf)).headOption
        val other = "a part that needs an operator of its own, such as a SQL function"
        RuleError.unsupported(of.rule, of.condition, what.getOrElse(other))
      }
    )

  private def check(rule: String, text: String, condition: Expression): Unit = {
    condition.flatMap(kindOf).headOption.foreach(what => throw RuleError.unsupported(rule, text, what))
    if (!condition.deterministic)
      throw RuleError.unsupported(rule, text, "a function that is not deterministic")
    if (condition.dataType != BooleanType && condition.dataType != NullType)
      throw RuleError.notBoolean(rule, text, condition.dataType.sql)
  }

  /** What a rule cannot have, if it is such a thing. */
  private def kindOf(e: Expression): Option[String] = e match {
    case _: AggregateExpression  => Some("an aggregate")
    case _: WindowExpression     => Some("a window function")
    case _: SubqueryExpression   => Some("a subquery")
    case _: Generator            => Some("a generator")
    case _: PythonFuncExpression => Some("a Python function")
    case Alias(child, _)         => child.flatMap(kindOf).headOption
    case _                       => None
  }
}
