package org.streamon.spark.execution.joins

import org.apache.spark.sql.catalyst.expressions.{And, Attribute, BasePredicate, Expression, Predicate}
import org.streamon.core.joins.Bits
import org.streamon.spark.planning.{MayRaise, StaticCost}

/** The conditions beside the keys. One that reads a single input is checked before its row is kept, others as
  * soon as the inputs that they read are joined. But those that may raise, of either kind, count in written
  * order, on complete rows only, so that none raises on rows that it would not see in Spark; where that is
  * cheap, or nothing else joins the inputs that they read, they are tried before, and a row on which one
  * raises goes on.
  *
  * @param inputs
  *   the columns of each
  * @param compared
  *   the inputs that only conditions join, set by set
  */
final class Residuals(
    conditions: Seq[Expression],
    inputs: IndexedSeq[Seq[Attribute]],
    compared: Seq[Set[Int]]
) extends Serializable {
  import Residuals._

  private val (single, others) = conditions.partition(c => readBy(c).size <= 1 && !MayRaise(c))

  private val joint: IndexedSeq[Joint] = others.flatMap { c =>
    val complete = Joint(c, inputs.indices, isTrial = false)
    if (!MayRaise(c)) Seq(Joint(c, readBy(c), isTrial = false))
    else if (readBy(c).size > 1 && readBy(c).size < inputs.size && isWorthTrying(c))
      Seq(Joint(c, readBy(c), isTrial = true), complete)
    else Seq(complete)
  }.toIndexedSeq

  /** For each check over several inputs, those that must be joined before it, as bits. */
  val needs: IndexedSeq[Long] = joint.map(j => Bits.of(j.joined))

  /** The inputs that each of them reads. */
  val reads: IndexedSeq[Array[Int]] = joint.map(j => readBy(j.condition).toArray)

  /** Whether each of them is only a trial. */
  val trials: Array[Boolean] = joint.map(_.isTrial).toArray

  /** Whether some that are checked before all inputs are joined take long. */
  def costWithin: Boolean =
    joint.exists(j => j.joined.size < inputs.size && StaticCost(j.condition) > CheapNanos)

  /** Each of them on a [[CombinedRow]], for one task. */
  def predicates(partition: Int): Array[BasePredicate] =
    joint.map(j => create(j.condition, inputs.flatten, partition)).toArray

  /** By input, what its rows must pass by themselves; null when nothing. */
  def filters(partition: Int): Array[BasePredicate] = inputs.indices.map { i =>
    single
      .filter(readBy(_).headOption.getOrElse(0) == i)
      .reduceOption(And(_, _))
      .map(create(_, inputs(i), partition))
      .orNull
  }.toArray

  private def isWorthTrying(c: Expression) =
    StaticCost(c) <= CheapNanos || compared.contains(readBy(c).toSet)

  private def readBy(c: Expression): Seq[Int] =
    inputs.indices.filter(i => c.references.exists(a => inputs(i).exists(_.exprId == a.exprId)))

  private def create(c: Expression, columns: Seq[Attribute], partition: Int): BasePredicate = {
    val predicate = Predicate.create(c, columns)
    predicate.initialize(partition)
    predicate
  }
}

object Residuals {

  /** Nanoseconds: what costs more is not evaluated twice. */
  private val CheapNanos = 400.0

  /** A condition, checked when some inputs are joined. */
  private final case class Joint(condition: Expression, joined: Seq[Int], isTrial: Boolean)
}
