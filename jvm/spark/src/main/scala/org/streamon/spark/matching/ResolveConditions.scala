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
      }.get
    }
    val row = LocalRelation(columns)
    val resolved = analyzed(session, row, parsed) match {
      case Some(all) => all
      case None      =>
        // One is wrong. Alone, it says what is wrong with it.
        rules.zip(parsed).map { case (NamedCondition(rule, text), condition) =>
          analyzed(session, row, Seq(condition)).getOrElse {
            throw explain(session, row, rule, text, condition)
          }.head
        }
    }
    rules.zip(resolved).foreach { case (NamedCondition(rule, text), condition) =>
      check(rule, text, condition)
    }
    resolved.map(condition => if (condition.dataType == NullType) Literal(null, BooleanType) else condition)
  }

  /** None if any cannot be resolved. */
  private def analyzed(
      session: SparkSession,
      row: LogicalPlan,
      conditions: Seq[Expression]
  ): Option[Seq[Expression]] =
    Try(session.sessionState.analyzer.executeAndCheck(project(row, conditions), newTracker)).toOption
      .collect {
        // An aggregate, a generator or a window would be in an operator of its own.
        case Project(list, _: LocalRelation) if list.size == conditions.size =>
          list.flatMap(_.children)
      }

  private def newTracker = new QueryPlanningTracker

  private def project(row: LogicalPlan, conditions: Seq[Expression]): Project =
    // No condition can name another by such a name.
    Project(conditions.zipWithIndex.map { case (c, k) => Alias(c, s"condition $k of streamon_match")() }, row)

  private def explain(
      session: SparkSession,
      row: LogicalPlan,
      rule: String,
      text: String,
      condition: Expression
  ): RuleError =
    Try(session.sessionState.analyzer.executeAndCheck(project(row, Seq(condition)), newTracker)).fold(
      cause => RuleError.unresolved(rule, text, cause),
      plan =>
        RuleError.unsupported(
          rule,
          text,
          plan.expressions.flatMap(kindOf).headOption.getOrElse("a function of several rows")
        )
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
