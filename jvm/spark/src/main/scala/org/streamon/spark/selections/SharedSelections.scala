package org.streamon.spark.selections

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.Literal.{FalseLiteral, TrueLiteral}
import org.apache.spark.unsafe.types.UTF8String
import org.streamon.core.selections.Selection

/** A conjunction of selections, which some rules have in common: they hold where it holds and their residuals
  * do.
  *
  * @param asked
  *   what it asks, by the number of the column; constants are keys ([[RegionKey]])
  * @param rules
  *   their numbers
  */
private[spark] final case class Term(asked: Map[Int, Selection[Any]], rules: Array[Int])

/** Many rules in the form in which they are evaluated together. The driver makes it, and executors build
  * their constructs from it.
  *
  * @param names
  *   of the rules, in ascending order; a rule's number is its place here
  * @param keys
  *   by column
  * @param terms
  *   those that ask the same columns are neighbours
  * @param residuals
  *   conditions that constructs do not answer, each once, bound to a row of the columns that they read
  * @param residualOf
  *   by rule, the number of its residual, or -1
  * @param mayRaise
  *   by column, whether to compute its values may raise an error
  * @param wholes
  *   conditions of rules that read such columns, whole, bound to the same row. They hold for rows on which a
  *   look-up has raised an error
  * @param wholeOf
  *   by rule, the number of its whole condition, or -1
  * @param limit
  *   bytes for the sets of the constructs
  */
private[spark] final class SharedSelections(
    val names: IndexedSeq[UTF8String],
    val keys: IndexedSeq[RegionKey],
    val terms: IndexedSeq[Term],
    val residuals: IndexedSeq[SerializedExpression],
    val residualOf: Array[Int],
    val mayRaise: Array[Boolean],
    val wholes: IndexedSeq[SerializedExpression],
    val wholeOf: Array[Int],
    limit: Long
) extends Serializable {

  /** Built once in each process. */
  @transient lazy val compiled: CompiledSelections = CompiledSelections(this, limit)
}

private[spark] object SharedSelections extends PredicateHelper {

  /** Columns with a construct at most: each takes a part of the row loop. */
  private val MostColumns = 32

  /** What an operator needs.
    *
    * @param columns
    *   those that have a construct
    * @param read
    *   what residuals read
    * @param clocks
    *   columns that the rows need besides: what conditions read from the clock
    * @param bounds
    *   conditions that are true for every row for which some rule holds
    */
  final case class Shared(
      columns: Seq[Expression],
      read: Seq[Expression],
      clocks: Seq[Alias],
      bounds: Seq[Expression],
      selections: SharedSelections
  )

  /** @param conditions
    *   resolved, by the names of their rules, in ascending order of the names
    * @param raising
    *   columns of the rows whose computation may raise an error
    * @param limit
    *   bytes for the sets of the constructs
    */
  def apply(conditions: Seq[(String, Expression)], raising: AttributeSet, limit: Long): Shared = {
    val simplified = SimplifyConditions(conditions.map(_._2))
    val columns = columnsOf(simplified.conditions.map(SplitCondition(_, _ => true)))
    val numbers = columns.map(SameExpression.key).zipWithIndex.toMap
    val split =
      simplified.conditions.map(SplitCondition(_, column => numbers.contains(SameExpression.key(column))))
    def mayRaise(e: Expression) = e.references.exists(raising.contains)
    val whole = simplified.conditions.map(c => Option.when(mayRaise(c))(guarded(c)))
    val read = (split.flatMap(_.residual) ++ whole.flatten).flatMap(_.references.toSeq).distinctBy(_.exprId)
    val (residuals, residualOf) = numbered(split.map(_.residual), read)
    val (wholes, wholeOf) = numbered(whole, read)
    Shared(
      columns,
      read,
      simplified.clocks,
      RowBounds.of(split, raising ++ AttributeSet(simplified.clocks.map(_.toAttribute))),
      new SharedSelections(
        conditions.map(c => UTF8String.fromString(c._1)).toIndexedSeq,
        columns.map(c => RegionKey.of(c.dataType).get).toIndexedSeq,
        termsOf(split, numbers),
        residuals,
        residualOf,
        columns.map(mayRaise).toArray,
        wholes,
        wholeOf,
        limit
      )
    )
  }

  /** Conditions of rules, each once and bound to a row, and by rule the number of its condition, or -1. */
  private def numbered(
      conditions: Seq[Option[Expression]],
      row: Seq[Attribute]
  ): (IndexedSeq[SerializedExpression], Array[Int]) = {
    val keys = conditions.map(_.map(SameExpression.key))
    val number = keys.flatten.distinct.zipWithIndex.toMap
    val each = conditions.flatten.distinctBy(SameExpression.key)
    (
      each.map(c => SerializedExpression(BindReferences.bindReference(c, row))).toIndexedSeq,
      keys.map(_.fold(-1)(number)).toArray
    )
  }

  /** A condition as it is written: each conjunct is evaluated only where those before it are true. */
  private def guarded(condition: Expression): Expression =
    splitConjunctivePredicates(condition).foldRight(TrueLiteral: Expression)(If(_, _, FalseLiteral))

  /** The columns that most rules ask come first. An expression that one rule asks is cheaper as a residual.
    */
  private def columnsOf(split: Seq[SplitCondition]): Seq[Expression] =
    split
      .flatMap(_.columns.distinctBy(SameExpression.key))
      .groupBy(SameExpression.key)
      .values
      .filter(uses => uses.size > 1 || uses.head.isInstanceOf[Attribute])
      .toSeq
      .sortBy(uses => (-uses.size, uses.head.sql))
      .take(MostColumns)
      .map(_.head)

  private def termsOf(split: Seq[SplitCondition], numbers: Map[Expression, Int]): IndexedSeq[Term] = {
    val of = for {
      (condition, rule) <- split.zipWithIndex
      alternative <- condition.alternatives
    } yield {
      val asked = alternative.groupMap(s => numbers(SameExpression.key(s.column)))(_.selection).map {
        case (column, Seq(one)) => column -> one
        case (column, several)  => column -> Selection.AllOf(several)
      }
      asked -> rule
    }
    of.groupMap(_._1)(_._2)
      .toIndexedSeq
      .map { case (asked, rules) => Term(asked, rules.distinct.toArray) }
      .sortBy(term => (term.asked.keys.map(1L << _).sum, term.rules.head))
  }
}
