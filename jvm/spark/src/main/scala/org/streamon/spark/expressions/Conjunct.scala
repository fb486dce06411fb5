package org.streamon.spark.expressions

import org.apache.commons.lang3.StringUtils
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.util.toPrettySQL
import org.apache.spark.sql.internal.SQLConf

/** One filter of the pipeline: a predicate behind the null checks that Spark puts before it.
  *
  * @param notNull
  *   columns that must not be null for the row to pass
  * @param predicates
  *   deterministic, boolean; null counts as false. More than one when they share work ([[SharedWork]]): they
  *   are evaluated from left to right
  */
case class Conjunct(notNull: Seq[Attribute], predicates: Seq[Expression]) {

  /** The conjunct as one expression, for interpreted evaluation. */
  def expression: Expression = (notNull.map(IsNotNull(_)) ++ predicates).reduceLeft(And(_, _))

  /** As the user wrote it, without the null checks, redacted as Spark redacts plans, and cut to a readable
    * length: it names metrics and stands in tables.
    */
  lazy val sql: String = {
    val whole = toPrettySQL(predicates.reduceLeft(And(_, _)))
    val redacted = SQLConf.get.stringRedactionPattern.fold(whole)(_.replaceAllIn(whole, "***"))
    StringUtils.abbreviate(redacted, Conjunct.ReadableLength)
  }

  def references: AttributeSet = AttributeSet(predicates.flatMap(_.references))
}

object Conjunct extends PredicateHelper {
  private val ReadableLength = 160

  /** The conjuncts of a filter in the order in which stock Spark evaluates them.
    *
    * Generated code checks a column for null just before the first predicate that reads it
    * (`GeneratePredicateHelper`), not where `IsNotNull` stands; so there a null check belongs to every
    * predicate that reads the column, and whichever comes first makes it. Interpreted code goes from left to
    * right.
    *
    * @param generated
    *   whether stock Spark would generate code for the filter
    */
  def inWrittenOrder(condition: Expression, input: Seq[Attribute], generated: Boolean): Seq[Conjunct] = {
    val all = splitConjunctivePredicates(condition)
    if (!generated) all.map(e => Conjunct(Nil, Seq(e)))
    else {
      val (nullChecks, predicates) = all.partition(isNullCheck(_, AttributeSet(input)))
      val checked = AttributeSet(nullChecks.flatMap(_.references))
      val guarded = predicates.map(p => Conjunct(p.references.filter(checked.contains).toSeq, Seq(p)))
      val read = AttributeSet(predicates.flatMap(_.references))
      val left = nullChecks.filterNot { case IsNotNull(a: Attribute) => read.contains(a); case _ => false }
      SharedWork.joined(guarded) ++ left.map(e => Conjunct(Nil, Seq(e)))
    }
  }

  /** The columns that a filter proves not null, as `FilterExec` sees it. */
  def provenNotNull(condition: Expression, input: Seq[Attribute]): Seq[ExprId] =
    splitConjunctivePredicates(condition)
      .filter(isNullCheck(_, AttributeSet(input)))
      .flatMap(_.references)
      .map(_.exprId)
      .distinct

  private def isNullCheck(e: Expression, input: AttributeSet): Boolean = e match {
    case IsNotNull(a) => isNullIntolerant(a) && a.references.subsetOf(input)
    case _            => false
  }
}
