package org.streamon.spark.execution

import org.streamon.core.filters.{
  OrderLoop,
  OrderingAlgorithm,
  OrderingAlgorithms,
  Precedence,
  ProfileTuple,
  StraightLineOrder
}
import org.streamon.core.loop.Versioned
import org.streamon.spark.settings.FilterSettings

/** The loop of one filter, shared by the tasks of an executor. The algorithm's order is followed where it
  * pays, and the straight order elsewhere.
  *
  * @param learnedGuards
  *   pairs (guard, guarded) learned from rows on which the second raised
  * @param straight
  *   the straight order, as long as it obeys every guard
  * @param learnedPaid
  *   whether the learned order paid so far
  */
final class FilterLoop private (
    settings: FilterSettings,
    isForced: Boolean,
    algorithm: OrderingAlgorithm,
    private var learnedGuards: List[(Int, Int)],
    private var straight: Option[Array[Int]],
    learnedPaid: Boolean
) {
  private val learned = new OrderLoop(algorithm)
  private val price = straight.map { order =>
    new StraightLineOrder(order, FilterTask.DispatchNanos.toDouble, settings.window, learnedPaid)
  }

  @volatile private var followed = choose()
  private val budget =
    new ProfilingBudget(
      if (algorithm.profiles) settings.profilingProbability else 0.0,
      settings.profilingBudget
    )

  /** The order that rows follow: the learned one, or the straight one where the learned one does not pay. */
  def order: Array[Int] = followed

  private def followsLearned: Boolean = followed eq current.plan

  /** The learned order. */
  def current: Versioned[Array[Int]] = learned.current

  /** As for an [[OrderLoop]]. */
  def nextPosition(seen: Versioned[Array[Int]], dropPosition: Int, after: Int, dropped: Long): Int =
    learned.nextPosition(seen, dropPosition, after, dropped)

  /** Mean nanoseconds of an evaluation; NaN when unknown. */
  def meanNanos(q: Int): Double = learned.meanNanos(q)

  /** The share of rows to sample. */
  def profilingProbability: Double = budget.probability

  def serves(other: FilterSettings): Boolean = settings == other

  /** Pairs (guard, guarded) learned from rows on which the second raised. */
  def guards: Seq[(Int, Int)] = synchronized(learnedGuards)

  /** Takes in a sampled row that was dropped under the order `seen`. The change of the followed order that
    * comes of it, if any.
    */
  def observe(tuple: ProfileTuple, seen: Versioned[Array[Int]]): Option[OrderLoop.Reorder] = synchronized {
    if (learned.isCurrent(seen)) {
      learned.offer(tuple, seen)
      adopt(tuple.dropped)
    } else None
  }

  /** Takes in a sampled row that passed every conjunct. The change of the followed order that comes of it, if
    * any.
    */
  def observePass(): Option[OrderLoop.Reorder] = synchronized(adopt(dropped = 0L))

  private def adopt(dropped: Long): Option[OrderLoop.Reorder] = {
    price.foreach(_.observe(dropped, current.plan, meanNanos))
    adopt()
  }

  /** `guard` dropped a row on which `guarded` raises: from now on it goes first. The change of the followed
    * order that comes of it, if any.
    */
  def guard(guard: Int, guarded: Int): Option[OrderLoop.Reorder] = synchronized {
    if (!isForced && !learnedGuards.contains(guard -> guarded) && learned.precede(guard, guarded)) {
      learnedGuards ::= guard -> guarded
      straight = straight.filter(order => order.indexOf(guard) < order.indexOf(guarded))
      adopt()
    } else None
  }

  /** Sampling slows down when it takes more than its share. */
  def account(base: Long, extra: Long): Unit = synchronized(budget.account(base, extra))

  private def adopt(): Option[OrderLoop.Reorder] = {
    val before = followed
    followed = choose()
    Option.unless(java.util.Arrays.equals(before, followed)) {
      val change = learned.decision(before, followed)
      price.fold(change) { p =>
        val prices = change.statistics.copy(straightNanos = p.straightNanos, learnedNanos = p.learnedNanos)
        change.copy(statistics = prices)
      }
    }
  }

  private def choose(): Array[Int] =
    straight.filterNot(_ => price.exists(_.learnedPays)).getOrElse(current.plan)
}

object FilterLoop {

  /** @param before
    *   the profile under other settings, of which order and guards are taken over
    */
  def apply(runtime: FilterRuntime, before: Option[FilterLoop]): FilterLoop = {
    val settings = runtime.settings
    val forced = settings.forced(runtime.size)
    val guards = before.fold(runtime.initialGuards)(_.guards).toList
    val precedence = new Precedence(runtime.size)
    if (forced.isEmpty) (runtime.pinned ++ guards).foreach { case (a, b) => precedence.add(a, b) }
    val algorithm = OrderingAlgorithms.create(
      if (forced.isDefined) "static" else settings.algorithm,
      runtime.size,
      forced.orElse(before.map(_.current.plan)).getOrElse(runtime.initialOrder),
      settings.window,
      settings.thrashAvoidance,
      precedence
    )
    val straight = runtime.straightOrder.filter(algorithm.profiles && precedence.obeyedBy(_))
    new FilterLoop(settings, forced.isDefined, algorithm, guards, straight, before.exists(_.followsLearned))
  }
}
