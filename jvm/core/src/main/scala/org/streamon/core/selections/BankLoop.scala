package org.streamon.core.selections

import org.streamon.core.filters.{OrderLoop, OrderStatistics}
import org.streamon.core.loop.{Decision, PlanRef, Versioned}

/** The adaptive loop of a filter bank. Executors of several threads may share it: they read the order without
  * a lock. Sampled rows take the lock, and wait for a review; so do errors out of turn, of which each
  * Executor tells once for a condition.
  *
  * @param rules
  *   by rule, its conditions in written order
  * @param conditions
  *   how many there are
  * @param isFixed
  *   whether rules keep the written order
  * @param clock
  *   milliseconds
  */
final class BankLoop(
    private[selections] val rules: Array[Array[Int]],
    val conditions: Int,
    isFixed: Boolean = false,
    clock: () => Long = () => System.currentTimeMillis
) {
  private val profile = new BankProfile(conditions)
  private val reoptimizer = new BankReoptimizer(rules, profile, conditions, clock)
  private val published = new PlanRef(reoptimizer.plan)
  private var rows = 0
  private var hasRaised = false
  private var isFresh = true

  /** Whether any rule has an order to learn. */
  val adapts: Boolean = !isFixed && rules.exists(_.length > 1)

  def current: Versioned[BankOrder] = published.current

  /** Begins with an order of all conditions that was learned elsewhere. No effect when rows have been sampled
    * here.
    */
  def begin(all: IndexedSeq[Int]): Unit = synchronized {
    if (adapts && isFresh && current.plan.all != all) {
      reoptimizer.begin(all)
      published.publish(reoptimizer.plan)
    }
  }

  /** Takes in a sampled row. */
  def offer(sample: BankSample): Unit = synchronized {
    isFresh = false
    profile.offer(sample)
    rows += 1
  }

  /** A condition has raised an error on a row that another one of its rule drops. */
  def raises(condition: Int): Unit = synchronized {
    reoptimizer.raises(condition)
    hasRaised = true
  }

  /** Whether there is something new to decide by. */
  def isDue: Boolean = synchronized(adapts && (rows >= BankLoop.Period || hasRaised))

  /** Decides. The change of the order of all conditions that follows, if any. */
  def review(): Option[OrderLoop.Reorder] = synchronized {
    if (!isDue) None
    else {
      rows = 0
      hasRaised = false
      val before = current.plan.all
      if (reoptimizer.reoptimize()) {
        published.publish(reoptimizer.plan)
        Option.when(reoptimizer.plan.all != before)(decision(before))
      } else None
    }
  }

  private def decision(before: IndexedSeq[Int]): OrderLoop.Reorder = {
    val each = 0 until conditions
    val statistics = OrderStatistics(each.map(profile.dropRate), each.map(profile.meanNanos))
    Decision.now(before, reoptimizer.plan.all, statistics)
  }
}

object BankLoop {

  /** The chance that a row is sampled. Only rows count of which a rule may hold that has a condition. */
  private[selections] val SampleProbability = 1.0 / 64

  /** Sampled rows after which the order is reviewed. */
  private val Period = 64
}
