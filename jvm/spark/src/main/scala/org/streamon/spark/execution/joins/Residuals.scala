package org.streamon.spark.execution.joins

import org.apache.spark.sql.catalyst.expressions.{And, Attribute, BasePredicate, Expression, Predicate}
import org.streamon.spark.planning.MayRaise

/** The conditions beside the key. One that reads a single input is checked before its row is kept. The others
  * are checked as soon as the inputs that they read are joined, except those that may raise: these see
  * complete rows only, in written order, so that none raises on rows that it would not see in Spark.
  *
  * @param inputs
  *   the columns of each
  */
final class Residuals(conditions: Seq[Expression], inputs: IndexedSeq[Seq[Attribute]]) extends Serializable {
  private val (single, joint) = conditions.partition(c => readBy(c).size <= 1)

  /** For each condition over several inputs, those that must be joined before it is evaluated, as bits. */
  val needs: IndexedSeq[Long] =
    joint.map(c => if (MayRaise(c)) bits(inputs.indices) else bits(readBy(c))).toIndexedSeq

  /** The inputs that each of them reads. */
  val reads: IndexedSeq[Array[Int]] = joint.map(c => readBy(c).toArray).toIndexedSeq

  /** Each of them on a [[CombinedRow]], for one task. */
  def predicates(partition: Int): Array[BasePredicate] =
    joint.map(create(_, inputs.flatten, partition)).toArray

  /** By input, what its rows must pass by themselves; null when nothing. */
  def filters(partition: Int): Array[BasePredicate] = inputs.indices.map { i =>
    single
      .filter(readBy(_).headOption.getOrElse(0) == i)
      .reduceOption(And(_, _))
      .map(create(_, inputs(i), partition))
      .orNull
  }.toArray

  private def readBy(c: Expression): Seq[Int] =
    inputs.indices.filter(i => c.references.exists(a => inputs(i).exists(_.exprId == a.exprId)))

  private def bits(members: Seq[Int]): Long = members.foldLeft(0L)((set, i) => set | 1L << i)

  private def create(c: Expression, columns: Seq[Attribute], partition: Int): BasePredicate = {
    val predicate = Predicate.create(c, columns)
    predicate.initialize(partition)
    predicate
  }
}
