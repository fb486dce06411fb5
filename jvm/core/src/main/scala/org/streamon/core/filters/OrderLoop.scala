package org.streamon.core.filters

import scala.collection.immutable.ArraySeq
import org.streamon.core.loop.{Decision, PlanRef, Versioned}

/** The adaptive loop of an order of filters. Executors of several threads may share it: they read the order
  * without a lock, and only sampled tuples take it. What a tuple tells is void when another Executor has
  * replaced the order under which it was sampled.
  */
class OrderLoop(algorithm: OrderingAlgorithm) {
  private val n = algorithm.plan.length
  private val published = new PlanRef(algorithm.plan)

  /** Whether sampling is of any use. */
  def profiles: Boolean = algorithm.profiles

  /** Filters by position. */
  final def current: Versioned[Array[Int]] = published.current

  final def isCurrent(seen: Versioned[Array[Int]]): Boolean = published.isCurrent(seen)

  /** As for a [[FilterProfiler]], under the order `seen`; the number of filters when it is void. */
  final def nextPosition(
      seen: Versioned[Array[Int]],
      dropPosition: Int,
      after: Int,
      dropped: FilterSet
  ): Int =
    synchronized {
      if (isCurrent(seen)) algorithm.nextPosition(dropPosition, after, dropped) else n
    }

  /** Takes in a profile tuple made under the order `seen`. The change of order that follows, if any. */
  final def offer(tuple: ProfileTuple, seen: Versioned[Array[Int]]): Option[OrderLoop.Reorder] =
    synchronized {
      if (isCurrent(seen) && algorithm.observe(tuple)) {
        published.publish(algorithm.plan)
        Some(decision(seen.plan, algorithm.plan))
      } else None
    }

  /** As for an [[OrderingAlgorithm]]. */
  final def precede(guard: Int, guarded: Int): Boolean = synchronized {
    val accepted = algorithm.precede(guard, guarded)
    if (algorithm.plan ne current.plan) published.publish(algorithm.plan)
    accepted
  }

  /** What is known of the filters, as the reason for a change of order. */
  final def decision(before: Array[Int], after: Array[Int]): OrderLoop.Reorder = synchronized {
    Decision.now(
      ArraySeq.unsafeWrapArray(before),
      ArraySeq.unsafeWrapArray(after),
      OrderStatistics(Vector.tabulate(n)(algorithm.dropRate), Vector.tabulate(n)(algorithm.meanNanos))
    )
  }

  /** As for a [[FilterProfiler]]. */
  final def meanNanos(q: Int): Double = synchronized(algorithm.meanNanos(q))
}

object OrderLoop {

  /** A change of order: filters by position. */
  type Reorder = Decision[IndexedSeq[Int], OrderStatistics]
}

/** What moves an order, by filter; NaN when unknown.
  *
  * @param dropRate
  *   share of the profile tuples that reach the filter and are dropped by it
  * @param nanos
  *   mean nanoseconds of an evaluation
  * @param straightNanos
  *   mean nanoseconds of a sampled tuple in the order that is compiled as it stands (see
  *   [[StraightLineOrder]])
  * @param learnedNanos
  *   the same in the learned order
  */
final case class OrderStatistics(
    dropRate: IndexedSeq[Double],
    nanos: IndexedSeq[Double],
    straightNanos: Double = Double.NaN,
    learnedNanos: Double = Double.NaN
)
