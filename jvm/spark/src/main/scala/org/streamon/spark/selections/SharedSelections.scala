package org.streamon.spark.selections

import scala.collection.immutable.ArraySeq

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.Literal.{FalseLiteral, TrueLiteral}
import org.apache.spark.unsafe.types.UTF8String
import org.streamon.core.selections.Selection
import org.streamon.spark.expressions.MayRaise
import org.streamon.spark.util.ParallelPlanning

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
  *   of the rules; a rule's number is its place here. Several may have one name
  * @param keys
  *   by column
  * @param terms
  *   in the order of the first of their rules
  * @param residuals
  *   conditions that constructs do not answer, each once, bound to a row of the columns that they read
  * @param residualsOf
  *   by rule, the numbers of its residuals, in written order
  * @param mayRaise
  *   by column, whether to compute its values may raise an error
  * @param raisingOf
  *   by rule, the numbers of such columns that it asks, in written order. It raises the error of the first
  *   that has one, if its conditions on the other columns hold; none for a rule that has a whole condition
  * @param wholes
  *   conditions of the other rules that read such columns, whole, bound to the same row. A part of them may
  *   guard such a column. They are evaluated for rows on which a look-up has raised an error
  * @param wholesOf
  *   by rule, the number of its whole condition, if it has one
  * @param isStrict
  *   whether residuals keep their written order
  * @param limit
  *   bytes for the sets of the constructs
  */
private[spark] final class SharedSelections(
    val names: IndexedSeq[UTF8String],
    val keys: IndexedSeq[RegionKey],
    val terms: IndexedSeq[Term],
    val residuals: SerializedConditions,
    val residualsOf: Array[Array[Int]],
    val mayRaise: Array[Boolean],
    val raisingOf: Array[Array[Int]],
    val wholes: SerializedConditions,
    val wholesOf: Array[Array[Int]],
    val isStrict: Boolean,
    limit: Long
) extends Serializable {

  /** Whether tasks report the residuals. */
  def hasReported: Boolean = residuals.nonEmpty && residuals.size <= SharedSelections.MostReported

  /** Built once in each process. */
  @transient lazy val compiled: CompiledSelections = CompiledSelections(this, limit)
}

private[spark] object SharedSelections extends PredicateHelper {

  /** Residuals beyond which tasks neither count them one by one nor report changes of their order: both would
    * grow with the rules.
    */
  val MostReported = 200

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
    * @param residuals
    *   conditions that constructs do not answer, by number
    * @param bounds
    *   conditions that are true for every row for which some rule holds
    */
  final case class Shared(
      columns: Seq[Expression],
      read: Seq[Expression],
      clocks: Seq[Alias],
      residuals: Seq[Expression],
      bounds: Seq[Expression],
      selections: SharedSelections
  )

  /** @param conditions
    *   resolved, with the names of their rules, in the order in which the rules of a row are named
    * @param raising
    *   columns of the rows whose computation may raise an error
    * @param limit
    *   bytes for the sets of the constructs
    * @param isStrict
    *   whether what may raise an error keeps its written place
    */
  def apply(
      conditions: Seq[(String, Expression)],
      raising: AttributeSet,
      limit: Long,
      isStrict: Boolean
  ): Shared = {
    val simplified = SimplifyConditions(conditions.map(_._2))
    def mayRaise(e: Expression) = e.references.exists(raising.contains)
    def isBarrier(conjunct: Expression) = isStrict && (MayRaise(conjunct) || mayRaise(conjunct))
    val askingAll = ParallelPlanning.map(simplified.conditions)(SplitCondition(_, _ => true, isBarrier))
    val columns = columnsOf(askingAll)
    val numbers = columns.map(SameExpression.key).zipWithIndex.toMap
    def isColumn(e: Expression) = numbers.contains(SameExpression.key(e))
    val split = simplified.conditions.zip(askingAll).map { case (condition, all) =>
      if (all.columns.forall(isColumn)) all else SplitCondition(condition, isColumn, isBarrier)
    }
    val checked = new InferNotNull(raising, isStrict)
    val (raisingOf, whole) = simplified.conditions
      .zip(split)
      .map { case (condition, of) =>
        if (raising.isEmpty || of.alternatives.isEmpty) (Array.emptyIntArray, Nil)
        else if (of.isPlainTerm)
          (of.columns.filter(mayRaise).map(c => numbers(SameExpression.key(c))).distinct.toArray, Nil)
        else (Array.emptyIntArray, Option.when(mayRaise(condition))(checked.whole(condition)).toSeq)
      }
      .unzip
    val (residuals, residualsOf) = numbered(split.map(of => checked.each(of.residuals)))
    val (wholes, wholesOf) = numbered(whole.map(_.map(guarded)))
    val read = (residuals ++ wholes).flatMap(_.references.toSeq).distinctBy(_.exprId)
    def bound(all: Seq[Expression]) =
      SerializedConditions(all.map(BindReferences.bindReference(_, read)))
    Shared(
      columns,
      read,
      simplified.clocks,
      residuals,
      RowBounds.of(split, raising ++ AttributeSet(simplified.clocks.map(_.toAttribute))),
      new SharedSelections(
        // Tasks read them by number, one for each match.
        names = conditions.map(c => UTF8String.fromString(c._1)).to(ArraySeq),
        keys = columns.map(c => RegionKey.of(c.dataType).get).toIndexedSeq,
        terms = termsOf(split, numbers),
        residuals = bound(residuals),
        residualsOf = residualsOf,
        mayRaise = columns.map(mayRaise).toArray,
        raisingOf = raisingOf.toArray,
        wholes = bound(wholes),
        wholesOf = wholesOf,
        isStrict = isStrict,
        limit = limit
      )
    )
  }

  /** Conditions of rules, each once, and by rule the numbers of its conditions. */
  private def numbered(conditions: Seq[Seq[Expression]]): (Seq[Expression], Array[Array[Int]]) = {
    val keyed = conditions.map(_.map(c => SameExpression.key(c) -> c))
    val each = keyed.flatten.distinctBy(_._1)
    val number = each.map(_._1).zipWithIndex.toMap
    val of =
      keyed.map(all => if (all.isEmpty) Array.emptyIntArray else all.map(c => number(c._1)).distinct.toArray)
    (each.map(_._2), of.toArray)
  }

  /** A condition as it is written: each conjunct is evaluated only where those before it are true. */
  private def guarded(condition: Expression): Expression =
    splitConjunctivePredicates(condition).foldRight(TrueLiteral: Expression)(If(_, _, FalseLiteral))

  /** Those that most rules ask, in the order of their texts, which stays when rules change. An expression
    * that one rule asks is cheaper as a residual.
    */
  private def columnsOf(split: Seq[SplitCondition]): Seq[Expression] =
    split
      .flatMap(_.columns.distinctBy(SameExpression.key))
      .groupBy(SameExpression.key)
      .values
      .filter(uses => uses.size > 1 || uses.head.isInstanceOf[Attribute])
      .toSeq
      .sortBy(uses => (-uses.size, ColumnText(uses.head)))
      .take(MostColumns)
      .map(_.head)
      .sortBy(ColumnText(_))

  private def termsOf(split: Seq[SplitCondition], numbers: Map[Any, Int]): IndexedSeq[Term] = {
    val of = ParallelPlanning.map(split.zipWithIndex) { case (condition, rule) =>
      condition.alternatives.map { alternative =>
        val asked = alternative.groupMap(s => numbers(SameExpression.key(s.column)))(_.selection).map {
          case (column, Seq(one)) => column -> one
          case (column, several)  => column -> Selection.AllOf(several)
        }
        asked -> rule
      }
    }
    of.flatten
      .groupMap(_._1)(_._2)
      .toIndexedSeq
      .map { case (asked, rules) => Term(asked, rules.distinct.toArray) }
      .sortBy(_.rules.head)
      // Spark estimates the size of what it sends object by object, but of an array by a sample.
      .to(ArraySeq)
  }
}
