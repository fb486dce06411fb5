package org.streamon.core.selections

import org.streamon.core.loop.Reoptimizer

/** In which order rules evaluate their conditions. Immutable.
  *
  * @param ofRule
  *   by rule, its conditions
  * @param all
  *   the conditions of all rules, those first that are expected to decide most rules in the least time
  */
final class BankOrder(val ofRule: Array[Array[Int]], val all: IndexedSeq[Int])

/** The Re-optimizer of a filter bank. Each rule evaluates that condition first which is expected to decide
  * most rules in a nanosecond. Conditions are ranked as if they dropped rows independently of each other: a
  * bank may have thousands, and the view of A-Greedy has a cell for each two of them. The order of a rule
  * changes only where that makes it cheaper by more than noise, and all rules by more than a little.
  *
  * A condition that has raised an error out of turn goes behind the others for an hour. What is not known
  * keeps its place. Not thread-safe.
  *
  * @param rules
  *   by rule, its conditions in written order
  * @param clock
  *   milliseconds
  */
private[selections] final class BankReoptimizer(
    rules: Array[Array[Int]],
    profile: BankProfile,
    conditions: Int,
    clock: () => Long
) extends Reoptimizer[BankOrder] {
  import BankReoptimizer._

  private var current = new BankOrder(rules, 0 until conditions)

  /** When a condition last raised an error out of turn. */
  private val met = Array.fill(conditions)(Never)

  /** The conditions that went behind the others when the order was made. */
  private var behind = Set.empty[Int]

  def name: String = "filter-bank"

  def plan: BankOrder = current

  /** Goes on from an order that was learned elsewhere. */
  def begin(all: IndexedSeq[Int]): Unit = {
    val place = all.zipWithIndex.toMap
    current = new BankOrder(rules.map(own => if (own.length > 1) own.sortBy(place) else own), all)
  }

  /** A condition has raised an error on a row that another condition drops. */
  def raises(condition: Int): Unit = met(condition) = clock()

  def reoptimize(): Boolean = {
    val now = clock()
    val raising = met.indices.filter(c => met(c) != Never && now - met(c) < Life).toSet
    val ranking = new Ranking(raising)
    val moved = raising.diff(behind) ++ behind.diff(raising)
    var before, gain = 0.0
    val next = current.ofRule.clone()
    for (rule <- rules.indices if ranking.isKnown(rules(rule))) {
      val own = current.ofRule(rule)
      val (better, cost) = (ranking.of(own), ranking.cost(own))
      val saved = cost - ranking.cost(better)
      before += cost
      if (own.exists(moved) || saved > ranking.noise(own) * cost) {
        next(rule) = better
        gain += saved
      }
    }
    val changed = moved.nonEmpty || gain > LeastGain * before
    if (changed) {
      current = new BankOrder(next, ranking.ofAll(current.all))
      behind = raising
    }
    changed
  }

  /** What is best by the profile of now. */
  private final class Ranking(raising: Set[Int]) {
    private def isKnown(condition: Int) = raising(condition) || profile.knows(condition)

    /** Whether there is an order to choose, and enough to choose it by. */
    def isKnown(own: Array[Int]): Boolean = own.length > 1 && own.forall(isKnown(_: Int))

    /** Of equals the one that stands first. */
    def of(own: Array[Int]): Array[Int] = own.sortBy(rank)

    /** What is known is sorted, in the places that it has. */
    def ofAll(all: IndexedSeq[Int]): IndexedSeq[Int] = {
      val known = all.filter(isKnown(_: Int)).sortBy(rank).iterator
      all.map(c => if (isKnown(c)) known.next() else c)
    }

    private def rank(condition: Int) =
      (raising(condition), if (profile.knows(condition)) -profile.score(condition) else 0.0)

    /** The share of a rule's cost that a better order must save, and more where few rows are known: a share
      * that is measured on n rows has a standard error of 1 / (2 sqrt(n)) at most.
      */
    def noise(own: Array[Int]): Double = 1.0 - ThrashAvoidance + 1.0 / math.sqrt(math.max(rowsOf(own), 1.0))

    private def rowsOf(own: Array[Int]) =
      own.iterator.filter(profile.knows).map(profile.weight).minOption.getOrElse(0.0)

    /** Expected nanoseconds that a rule takes for the sampled rows. What raises errors has no price. */
    def cost(own: Array[Int]): Double = {
      var rows = rowsOf(own)
      var sum = 0.0
      for (c <- own if !raising(c) && profile.knows(c)) {
        sum += rows * profile.sharedNanos(c)
        rows *= 1.0 - profile.dropRate(c)
      }
      sum
    }
  }
}

private object BankReoptimizer {

  /** As for the orders of filters. */
  val ThrashAvoidance = 0.9

  /** The share of the cost of all rules that a change must save: rules become known one by one. */
  val LeastGain = 0.02

  /** An hour, in milliseconds: one bad row must not decide the order for ever. */
  val Life: Long = 3600L * 1000L

  val Never: Long = Long.MinValue
}
