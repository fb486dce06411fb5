package org.streamon.spark.sharing

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.Literal.TrueLiteral
import org.apache.spark.sql.catalyst.expressions.aggregate._
import org.apache.spark.sql.catalyst.plans.logical.Aggregate
import org.streamon.spark.sharing.MatchedRows.{lookUp, Exploded}

/** Aggregates of conditions, a row for each group: aggregated by group and condition, and then by group.
  *
  * @param keys
  *   of the groups
  * @param matches
  *   the rows with the numbers of the conditions that hold. A null number is that of no condition
  */
private[sharing] final class PivotedAggregates(
    keys: Seq[Expression],
    matches: Exploded,
    used: AggregatesOfConditions
) {
  private val number = matches.number

  private val groups: Seq[NamedExpression] = keys.map {
    case a: Attribute => a
    case key          => Alias(key, "key")()
  }

  /** By function. It is evaluated for its own conditions alone: others may guard its errors. */
  private val values: IndexedSeq[Alias] = used.functions.zip(used.conditionsOf).map { case (function, of) =>
    val own =
      if (of.size < used.conditions.size) Some(InSet(number, of.toSet[Any]))
      else Option.when(number.nullable)(IsNotNull(number))
    Alias(function.toAggregateExpression(isDistinct = false, own), "value")()
  }

  private val byCondition =
    Aggregate(keys :+ number, groups ++ (number +: values), matches.rows)

  private val pivots: IndexedSeq[Pivot] = values.zip(used.conditionsOf).map { case (value, of) =>
    if (PivotFirst.supportsDataType(value.dataType)) new Listed(value.toAttribute, of)
    else new Single(value.toAttribute, of)
  }

  /** The keys, and columns that [[result]] reads. */
  val plan: Aggregate = {
    val keyColumns = groups.map(_.toAttribute)
    Aggregate(keyColumns, keyColumns ++ pivots.flatMap(_.columns), byCondition)
  }

  /** A column of the aggregate as it was written, over the columns of the plan. */
  def result(column: NamedExpression): NamedExpression = column
    .transformDown {
      case e: AggregateExpression => resultOf(ConditionalAggregate.of(e).toOption.get)
      case e if isKey(e)          => groups(keys.indexWhere(_.semanticEquals(e))).toAttribute
    }
    .asInstanceOf[NamedExpression]

  private def isKey(e: Expression) = !e.isInstanceOf[Attribute] && keys.exists(_.semanticEquals(e))

  private def resultOf(a: ConditionalAggregate): Expression = {
    val own = value(a.condition, a.function)
    a.otherwise.fold(own) { zero =>
      // Zero where other rows have added zeros alone. A sum that overflows is null too.
      val noValue = EqualTo(value(a.condition, AggregatesOfConditions.valuesOf(a.function)), Literal(0L))
      val hasOthers = LessThan(
        value(a.condition, AggregatesOfConditions.Rows),
        value(TrueLiteral, AggregatesOfConditions.Rows)
      )
      If(And(noValue, hasOthers), Cast(zero, a.function.dataType), own)
    }
  }

  private def value(condition: Expression, function: AggregateFunction): Expression = {
    val found = pivots(used.function(function)).value(used.condition(condition))
    function match {
      case _: Count => Coalesce(Seq(found, Literal(0L)))
      case _        => found
    }
  }

  /** The values of one function, from a row for each condition. */
  private trait Pivot {
    def columns: Seq[NamedExpression]

    /** For a condition; null where no row has it. */
    def value(condition: Int): Expression
  }

  /** In an array, as Spark's own PIVOT has them. */
  private final class Listed(value: Attribute, of: Seq[Int]) extends Pivot {
    private val list = Alias(PivotFirst(number, value, of).toAggregateExpression(), "values")()
    private val place = of.zipWithIndex.toMap
    override def columns: Seq[NamedExpression] = Seq(list)
    override def value(condition: Int): Expression = lookUp(list.toAttribute, Literal(place(condition)))
  }

  /** Each in a column, for types that PIVOT does not list. There is one value at most. */
  private final class Single(value: Attribute, of: Seq[Int]) extends Pivot {
    private val column = of.map { condition =>
      val own = EqualTo(number, Literal(condition))
      condition -> Alias(Max(value).toAggregateExpression(isDistinct = false, Some(own)), "value")()
    }.toMap
    override def columns: Seq[NamedExpression] = of.map(column)
    override def value(condition: Int): Expression = column(condition).toAttribute
  }
}
