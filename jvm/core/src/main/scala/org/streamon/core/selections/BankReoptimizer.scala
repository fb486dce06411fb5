package org.streamon.core.selections

import org.streamon.core.loop.Reoptimizer

/** In which order rules evaluate their conditions. Immutable.
  *
  * @param ofRule
  *   by rule, its conditions
  * @param all
  *   the conditions of all rules, those ahead first that decide most rules in the least time
  */
final class BankOrder(val ofRule: Array[Array[Int]], val all: IndexedSeq[Int])

/** The Re-optimizer of a filter bank. Each rule evaluates that condition first which is expected to decide
  * most rules in a nanosecond. Conditions are ranked as if they dropped rows independently of each other: a
  * bank may have thousands, and the view of A-Greedy has a cell for each two of them.
  *
  * A condition that has raised an error out of turn goes behind the others. Not thread-safe.
  *
  * @param rules
  *   by rule, its conditions in written order
  */
private[selections] final class BankReoptimizer(
    rules: Array[Array[Int]],
    profile: BankProfile,
    conditions: Int
) extends Reoptimizer[BankOrder] {
  private var current = new BankOrder(rules, 0 until conditions)
  private val hasRaised = new Array[Boolean](conditions)

  def name: String = "filter-bank"

  def plan: BankOrder = current

  /** Goes on from an order that was learned elsewhere. */
  def begin(all: IndexedSeq[Int]): Unit = {
    val place = all.zipWithIndex.toMap
    current = new BankOrder(rules.map(own => if (own.length > 1) own.sortBy(place) else own), all)
  }

  /** A condition has raised an error on a row that another condition drops. True when that is new. */
  def raises(condition: Int): Boolean = {
    val isNew = !hasRaised(condition)
    hasRaised(condition) = true
    isNew
  }

  def reoptimize(): Boolean = {
    val changed = rules.indices.exists(r => isKnown(rules(r)) && isWorse(current.ofRule(r)))
    if (changed) current = new BankOrder(rules.map(ofRule), sorted(0 until conditions))
    changed
  }

  private def isKnown(own: Array[Int]) = own.length > 1 && own.forall(c => hasRaised(c) || profile.knows(c))

  /** Whether a condition stands ahead of one that is better by more than noise. */
  private def isWorse(own: Array[Int]): Boolean = own.indices.drop(1).exists { k =>
    val (before, after) = (own(k - 1), own(k))
    if (hasRaised(before) != hasRaised(after)) hasRaised(before)
    else !hasRaised(before) && profile.score(before) < BankReoptimizer.ThrashAvoidance * profile.score(after)
  }

  private def ofRule(written: Array[Int]): Array[Int] =
    if (isKnown(written)) sorted(written.toIndexedSeq).toArray else written

  /** Of equals the one that is written first. */
  private def sorted(written: IndexedSeq[Int]): IndexedSeq[Int] = written.sortBy { c =>
    (hasRaised(c), !profile.knows(c), if (profile.knows(c)) -profile.score(c) else 0.0)
  }
}

private object BankReoptimizer {

  /** As for the orders of filters. */
  val ThrashAvoidance = 0.9
}
