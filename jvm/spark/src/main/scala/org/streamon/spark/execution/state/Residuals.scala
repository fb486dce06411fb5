package org.streamon.spark.execution.state

import org.apache.spark.sql.catalyst.expressions.{And, Attribute, BasePredicate, Expression, Predicate}
import org.streamon.core.joins.Bits
import org.streamon.spark.expressions.{MayRaise, StaticCost}

/** The conditions of a join that are not keys. A condition on one input is checked before its row is kept.
  * Others are checked as soon as the inputs that they read are joined. Conditions that may raise an error are
  * different: they decide in written order when all inputs of their scope are joined, so that none raises on
  * rows that it would not see in Spark. They are also tried earlier if they are cheap, or if nothing else
  * joins their inputs; a row on which such a trial raises is kept. Conditions that cannot raise are checked
  * first.
  *
  * @param scopes
  *   by condition, the inputs of the join of two that it is written in, as bits
  * @param inputs
  *   the columns of each
  * @param compared
  *   the inputs that only conditions join, set by set
  */
final class Residuals(
    conditions: Seq[Expression],
    scopes: Seq[Long],
    inputs: IndexedSeq[Seq[Attribute]],
    compared: Seq[Set[Int]]
) extends Serializable {
  import Residuals._

  private val (raising, sure) = conditions.zip(scopes).partition(c => MayRaise(c._1))
  private val (single, others) = sure.map(_._1).partition(readBy(_).size <= 1)

  private val trial = raising.indices.filter(isWorthTrying).map(k => raising(k)._1)

  private val joint: IndexedSeq[Joint] = Vector.concat(
    others.map(c => Joint(c, readBy(c), isTrial = false)),
    trial.map(c => Joint(c, readBy(c), isTrial = true)),
    raising.map { case (c, scope) => Joint(c, Bits.members(scope), isTrial = false) }
  )

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

  /** Where it is known earlier than it counts: ahead of the inputs that it does not read, or of what is
    * written before it, which Spark may not evaluate on rows that a range has let go of.
    */
  private def isWorthTrying(k: Int): Boolean = {
    val (c, scope) = raising(k)
    val own = readBy(c)
    val early =
      own.size < Bits.size(scope) || raising.take(k).exists(before => Bits.includes(scope, before._2))
    own.size > 1 && early && (StaticCost(c) <= CheapNanos || compared.contains(own.toSet))
  }

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
