package org.streamon.core.selections

import org.streamon.core.filters.{OrderLoop, OrderStatistics}
import org.streamon.core.loop.{Decision, PlanRef, Versioned}

/** The adaptive loop of a filter bank. Executors of several threads may share it: they read the order without
  * a lock, and only sampled rows take it.
  *
  * @param rules
  *   by rule, its conditions in written order
  * @param conditions
  *   how many there are
  * @param isFixed
  *   whether rules keep the written order
  */
final class BankLoop(
    private[selections] val rules: Array[Array[Int]],
    val conditions: Int,
    isFixed: Boolean = false
) {
  private val profile = new BankProfile(conditions)
  private val reoptimizer = new BankReoptimizer(rules, profile, conditions)
  private val published = new PlanRef(reoptimizer.plan)
  private var rows = 0
  private var hasRaised = false

  /** Whether any rule has an order to learn. */
  val adapts: Boolean = !isFixed && rules.exists(_.length > 1)

  def current: Versioned[BankOrder] = published.current

  /** Begins with an order of all conditions that was learned elsewhere. No effect when anything has been
    * learned here.
    */
  def begin(all: IndexedSeq[Int]): Unit = synchronized {
    if (adapts && current.version == 0 && rows == 0 && current.plan.all != all) {
      reoptimizer.begin(all)
      published.publish(reoptimizer.plan)
    }
  }

  /** Takes in a sampled row. */
  def offer(sample: BankSample): Unit = synchronized {
    profile.offer(sample)
    rows += 1
  }

  /** A condition has raised an error on a row that another one of its rule drops. */
  def raises(condition: Int): Unit = synchronized { if (reoptimizer.raises(condition)) hasRaised = true }

  /** Whether there is something new to decide by. */
  def isDue: Boolean = synchronized(adapts && (rows >= BankLoop.Period || hasRaised))

  /** Decides. The change of order that follows, if any. */
  def review(): Option[OrderLoop.Reorder] = synchronized {
    if (!isDue) None
    else {
      rows = 0
      hasRaised = false
      val before = current.plan
      Option.when(reoptimizer.reoptimize()) {
        published.publish(reoptimizer.plan)
        val each = 0 until conditions
        val statistics = OrderStatistics(each.map(profile.dropRate), each.map(profile.meanNanos))
        Decision.now(before.all, reoptimizer.plan.all, statistics)
      }
    }
  }
}

private object BankLoop {

  /** Sampled rows after which the order is reviewed. */
  val Period = 64
}
