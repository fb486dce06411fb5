package org.streamon.spark.sharing

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.{Filter, Generate, LogicalPlan, Project}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streamon.StreamonConf
import org.apache.spark.sql.types.{ArrayType, IntegerType}
import org.streamon.spark.errors.{Refusal, RuleError}
import org.streamon.spark.logical.MatchRules
import org.streamon.spark.selections._

/** Rows with the conditions that hold of them, found by one operator. */
private[sharing] final class MatchedRows(conf: SQLConf) {
  import MatchedRows._

  /** The rows of which a condition holds.
    *
    * @param rules
    *   conditions over the rows, with the names by which `matched` has them
    * @param needed
    *   columns of the rows that are read above
    * @param keepsAll
    *   whether the other rows stay, with an empty array
    */
  def apply(
      rows: LogicalPlan,
      rules: Seq[(String, Expression)],
      needed: AttributeSet,
      matched: Attribute,
      keepsAll: Boolean
  ): Either[Refusal, MatchRules] =
    FitConditions.refusal(rules.map(_._2)).toLeft(()).flatMap { _ =>
      val limit = conf.getConf(StreamonConf.MatchMemory)
      val shared = SharedSelections(rules, RaisingColumns.of(rows), limit, StreamonConf.areErrorsStrict(conf))
      // Spark has replaced the clock by a constant.
      require(shared.clocks.isEmpty, s"conditions read the clock: ${shared.clocks}")
      tooLarge(shared.selections, limit).toLeft {
        val bounds = if (keepsAll) None else shared.bounds.reduceOption(And(_, _))
        val bounded = bounds.fold(rows)(Filter(_, rows))
        val read = needed ++ AttributeSet((shared.columns ++ shared.read).flatMap(_.references))
        val columns = rows.output.filter(read.contains)
        val narrow = if (columns.size == rows.output.size) bounded else Project(columns, bounded)
        val sent = new SentSelections(shared.selections, shared.residuals, identity(rows, rules))
        MatchRules(shared.columns, shared.read, sent, matched, narrow, keepsAll)
      }
    }

  /** A row for each condition that holds, with its number.
    *
    * @param keepsAll
    *   whether a row of which none holds comes once, without a number
    */
  def exploded(
      rows: LogicalPlan,
      conditions: Seq[Expression],
      needed: AttributeSet,
      keepsAll: Boolean
  ): Either[Refusal, Exploded] = {
    val matched = AttributeReference("matched", Numbers, nullable = false)()
    apply(rows, conditions.map("" -> _), needed, matched, keepsAll).map { matching =>
      val number = AttributeReference("number", IntegerType, nullable = keepsAll)()
      val index = matching.output.indexWhere(_.exprId == matched.exprId)
      val each = Generate(Explode(matched), Seq(index), keepsAll, None, Seq(number), matching)
      Exploded(each, number, conditions.size)
    }
  }

  private def tooLarge(selections: SharedSelections, limit: Long): Option[Refusal] =
    try {
      CompiledSelections.checkMemory(selections, limit)
      None
    } catch { case error: RuleError => Some(Refusal.RulesTooLarge(error.getMessage)) }

  private def identity(rows: LogicalPlan, rules: Seq[(String, Expression)]) = {
    val (names, conditions) = rules.unzip
    (names, BindReferences.bindReferences(conditions, rows.output))
  }
}

private[sharing] object MatchedRows {
  private val Numbers = ArrayType(IntegerType, containsNull = false)

  /** @param number
    *   the column of the condition's number
    * @param count
    *   of the conditions
    */
  final case class Exploded(rows: LogicalPlan, number: Attribute, count: Int)

  /** One of some constants, by its number. */
  def constant(values: Seq[Literal], number: Expression): Expression =
    // By text, since 0.0 equals -0.0. By value too, since two instants have one text when clocks go back.
    if (values.distinctBy(v => v -> v.sql).size == 1) values.head
    else {
      val hasNull = values.exists(_.value == null)
      val list = ArrayType(values.head.dataType, hasNull)
      val found = lookUp(Literal.create(values.map(_.value), list), number)
      if (hasNull) found else KnownNotNull(found)
    }

  /** An element of an array, by its number. */
  def lookUp(array: Expression, number: Expression): Expression =
    GetArrayItem(array, number, failOnError = false)

  /** An expression in the place of a column of a plan. */
  def named(e: Expression, column: Attribute): NamedExpression = e match {
    case a: Attribute if a.exprId == column.exprId => a
    case _                                         =>
      val value = if (e.nullable && !column.nullable) KnownNotNull(e) else e
      Alias(value, column.name)(exprId = column.exprId, explicitMetadata = Some(column.metadata))
  }
}
