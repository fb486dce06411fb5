package org.streamon.spark.execution.selections

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{BasePredicate, Expression, InterpretedPredicate, Predicate}
import org.streamon.spark.selections.SerializedExpression

/** The conditions that constructs do not answer, in one task. Each is evaluated once for a row at most. Not
  * thread-safe.
  *
  * @param conditions
  *   bound to the row that they read
  */
private[selections] final class Residuals(conditions: IndexedSeq[SerializedExpression]) {
  private val predicates = new Array[BasePredicate](conditions.size)
  private val knownFor = new Array[Long](conditions.size) // the number of the row
  private val known = new Array[Boolean](conditions.size)
  private var row: InternalRow = _
  private var number = 0L
  private var count = 0L

  /** How many have been evaluated. */
  def evaluated: Long = count

  def begin(row: InternalRow): Unit = {
    this.row = row
    number += 1
  }

  /** Whether a condition is true of the row; null counts as false. */
  def isTrue(condition: Int): Boolean = {
    if (knownFor(condition) != number) {
      if (predicates(condition) == null)
        predicates(condition) = predicate(conditions(condition).newInstance())
      known(condition) = predicates(condition).eval(row)
      knownFor(condition) = number
      count += 1
    }
    known(condition)
  }

  private def predicate(condition: Expression): BasePredicate = {
    val made =
      if (conditions.size <= Residuals.MostCompiled) Predicate.create(condition)
      else InterpretedPredicate(condition)
    made.initialize(0)
    made
  }
}

private object Residuals {

  /** Conditions beyond which none is compiled. Spark compiles a class for each, and keeps a hundred of these
    * in an executor: with more, every task would compile them all.
    */
  val MostCompiled = 32
}
