package org.streamon.spark.matching.conditions

import scala.util.Try

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression
import org.apache.spark.sql.catalyst.plans.logical.{LocalRelation, Project}
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types.{BooleanType, NullType}
import org.streamon.spark.errors.RuleError
import org.streamon.spark.util.ParallelPlanning

/** Makes expressions of the texts of rules, as Spark's analyzer understands them over the columns of the
  * rows.
  *
  * @param columns
  *   of the rows; conditions may name them with the names of their tables
  */
private[conditions] final class ResolveConditions(session: SparkSession, columns: Seq[Attribute]) {
  import ResolveConditions._

  private val analysis = new Analysis(session, columns)

  /** Each rule with its condition, or with the reason why it is not valid. Those that do not parse come
    * first, then comparisons. What follows is analyzed when it is asked for.
    */
  def apply(rules: Seq[NamedCondition]): Iterator[Either[RejectedRule, Resolved]] = {
    // Made here: it asks the analyzer, which is of this thread.
    val comparisons = new ResolveComparisons(analysis, rules.map(_.condition))
    val (unparsed, parsed) =
      ParallelPlanning.map(rules)(parse(_).map(compared(comparisons, _))).partitionMap(identity)
    val (others, resolved) = parsed.partitionMap(identity)
    unparsed.iterator.map(Left(_)) ++ resolved.iterator.map(Right(_)) ++ resolve(others)
  }

  private def parse(rule: NamedCondition): Either[RejectedRule, Resolved] =
    Try(session.sessionState.sqlParser.parseExpression(rule.condition)).fold(
      {
        case cause: Exception => rejected(rule, RuleError.unparsed(rule.rule, rule.condition, cause))
        case fatal            => throw fatal
      },
      {
        case _: Alias => rejected(rule, RuleError.unsupported(rule.rule, rule.condition, "an alias"))
        case parsed   => Right(rule -> parsed)
      }
    )

  /** A condition that is resolved, or that is left to the analyzer. */
  private def compared(comparisons: ResolveComparisons, parsed: Resolved): Either[Resolved, Resolved] =
    comparisons(parsed._2).map(parsed._1 -> _).toRight(parsed)

  /** All in one analysis. Where that fails, in halves. */
  private def resolve(parsed: Seq[Resolved]): Iterator[Either[RejectedRule, Resolved]] =
    if (parsed.isEmpty) Iterator.empty
    else
      analyzed(parsed.map(_._2)) match {
        case Some(conditions) =>
          parsed.iterator.zip(conditions).map { case ((rule, _), condition) => checked(rule, condition) }
        case None if parsed.size == 1 => Iterator.single(Left(RejectedRule(parsed.head._1, why(parsed.head))))
        case None                     =>
          val (left, right) = parsed.splitAt(parsed.size / 2)
          resolve(left) ++ resolve(right)
      }

  /** None if any cannot be resolved, or needs an operator of its own, as an aggregate does. */
  private def analyzed(conditions: Seq[Expression]): Option[Seq[Expression]] =
    analysis(conditions).toOption.collect {
      case Project(list, _: LocalRelation) if list.size == conditions.size => list.flatMap(_.children)
    }

  private def why(parsed: Resolved): RuleError = {
    val (NamedCondition(rule, text), condition) = parsed
    analysis(Seq(condition)).fold(
      cause => RuleError.unresolved(rule, text, cause),
      found => {
        val what = found.expressions.flatMap(_.flatMap(kindOf)).headOption
        val other = "a part that needs an operator of its own, such as a SQL function"
        RuleError.unsupported(rule, text, what.getOrElse(other))
      }
    )
  }
}

private[conditions] object ResolveConditions {
  type Resolved = (NamedCondition, Expression)

  private def rejected(rule: NamedCondition, error: RuleError) = Left(RejectedRule(rule, error))

  private def checked(rule: NamedCondition, condition: Expression): Either[RejectedRule, Resolved] = {
    def unsupported(what: String) = rejected(rule, RuleError.unsupported(rule.rule, rule.condition, what))
    condition.flatMap(kindOf).headOption match {
      case Some(what)                                => unsupported(what)
      case None if !condition.deterministic          => unsupported("a function that is not deterministic")
      case None if condition.dataType == NullType    => Right(rule -> Literal(null, BooleanType))
      case None if condition.dataType != BooleanType =>
        rejected(rule, RuleError.notBoolean(rule.rule, rule.condition, condition.dataType.sql))
      case None => Right(rule -> condition)
    }
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
