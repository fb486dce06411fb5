package org.streamon.spark.sharing

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.expressions.Literal.TrueLiteral
import org.apache.spark.sql.catalyst.expressions.aggregate._
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LogicalPlan, Project}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streamon.StreamonConf
import org.apache.spark.sql.types.BooleanType
import org.streamon.spark.errors.Refusal
import org.streamon.spark.expressions.StaticCost

/** Computes conditional aggregates over one input ([[ConditionalAggregate]]) from the rows with the
  * conditions that hold of them: grouped by the condition as well, and then pivoted ([[PivotedAggregates]]).
  */
private[sharing] final class ShareAggregates(conf: SQLConf) extends AliasHelper {
  import ShareAggregates._

  private val least = conf.getConf(StreamonConf.MatchShareLeast)
  private val minCost = conf.getConf(StreamonConf.MatchShareMinCost)
  private val matchedRows = new MatchedRows(conf)

  /** None where no aggregate has a condition. */
  def apply(aggregate: Aggregate): Option[Either[Refusal, LogicalPlan]] = {
    val written = inlined(aggregate)
    val expressions = written.aggregateExpressions.flatMap(_.collect { case e: AggregateExpression => e })
    Option.when(expressions.exists(ConditionalAggregate.isConditional)) {
      if (aggregate.isStreaming) Left(Refusal.StreamOfRows)
      else shared(written, expressions)
    }
  }

  private def shared(
      written: Aggregate,
      expressions: Seq[AggregateExpression]
  ): Either[Refusal, LogicalPlan] = {
    val (refused, found) = expressions.partitionMap(ConditionalAggregate.of)
    val used = new AggregatesOfConditions(found)
    val count = used.conditions.count(_ != TrueLiteral)
    val nanos = used.conditions.map(StaticCost(_)).sum.toLong
    refused.headOption
      .orElse(Option.when(count < least)(Refusal.TooFewConditions(count, least)))
      .orElse(Option.when(nanos < minCost)(Refusal.CheapConditions(nanos, minCost)))
      .orElse(Option.when(used.functions.size > MostFunctions) {
        Refusal.TooManyFunctions(used.functions.size, MostFunctions)
      })
      .orElse(GroupingKeys.refusal(written.groupingExpressions))
      .toLeft(())
      .flatMap { _ =>
        val keys = written.groupingExpressions
        // Groups come also where no condition holds.
        val keepsAll = keys.nonEmpty && !used.conditions.contains(TrueLiteral)
        val read = AttributeSet((keys ++ used.functions).flatMap(_.references))
        matchedRows.exploded(written.child, used.conditions, read, keepsAll).map { matches =>
          val pivoted = new PivotedAggregates(keys, matches, used)
          Project(written.aggregateExpressions.map(pivoted.result), pivoted.plan)
        }
      }
  }

  /** With the conditions that a projection below computes in their places. Spark puts those of `count_if`
    * there.
    */
  private def inlined(aggregate: Aggregate): Aggregate = aggregate.child match {
    case project @ Project(list, rows) =>
      val keys = AttributeSet(aggregate.groupingExpressions.flatMap(_.references))
      val (conditions, others) = list.partition {
        case a: Alias => a.dataType == BooleanType && a.deterministic && !keys.contains(a.toAttribute)
        case _        => false
      }
      if (conditions.isEmpty) aggregate
      else {
        val aliases = getAliasMap(conditions)
        val read = AttributeSet(conditions.flatMap(_.references)) -- AttributeSet(others)
        val below = others ++ rows.output.filter(read.contains)
        aggregate.copy(
          aggregateExpressions = aggregate.aggregateExpressions.map(replaceAliasButKeepName(_, aliases)),
          child = if (below.forall(_.isInstanceOf[Attribute])) rows else project.copy(projectList = below)
        )
      }
    case _ => aggregate
  }
}

private object ShareAggregates {

  /** Each takes time for each pair of a row and a condition. */
  private val MostFunctions = 32
}
