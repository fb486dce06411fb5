package org.streamon.spark.sharing

import org.apache.spark.sql.catalyst.expressions.{Expression, Literal}
import org.apache.spark.sql.catalyst.expressions.Literal.TrueLiteral
import org.apache.spark.sql.catalyst.expressions.aggregate.{AggregateFunction, Count}
import org.streamon.spark.selections.SameExpression

/** The conditions of some aggregates, and which functions each needs; each condition and function once. */
private[sharing] final class AggregatesOfConditions(aggregates: Seq[ConditionalAggregate]) {
  import AggregatesOfConditions._

  /** A function over the rows of a condition. */
  private val uses: Seq[(Expression, AggregateFunction)] = aggregates.flatMap { a =>
    val own = a.condition -> a.function
    if (a.otherwise.isEmpty) Seq(own)
    else Seq(own, a.condition -> valuesOf(a.function), a.condition -> Rows, TrueLiteral -> Rows)
  }

  val conditions: IndexedSeq[Expression] = uses.map(_._1).distinctBy(SameExpression.key).toIndexedSeq

  val functions: IndexedSeq[AggregateFunction] = uses.map(_._2).distinctBy(SameExpression.key).toIndexedSeq

  private val conditionOf = conditions.map(SameExpression.key).zipWithIndex.toMap
  private val functionOf = functions.map(SameExpression.key).zipWithIndex.toMap

  /** By function, the numbers of its conditions, ascending. */
  val conditionsOf: IndexedSeq[Seq[Int]] = {
    val of = uses.map { case (c, f) => function(f) -> condition(c) }.groupMap(_._1)(_._2)
    functions.indices.map(of(_).distinct.sorted)
  }

  def condition(e: Expression): Int = conditionOf(SameExpression.key(e))
  def function(f: AggregateFunction): Int = functionOf(SameExpression.key(f))
}

private[sharing] object AggregatesOfConditions {
  val Rows: AggregateFunction = Count(Seq(Literal(1)))

  /** How many values a sum adds. */
  def valuesOf(sum: AggregateFunction): AggregateFunction = Count(sum.children)
}
