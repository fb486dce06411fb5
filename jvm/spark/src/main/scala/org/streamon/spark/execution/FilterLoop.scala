package org.streamon.spark.execution

import org.streamon.core.filters.{
  BlockOrdering,
  FilterSet,
  OrderLoop,
  OrderingAlgorithm,
  OrderingAlgorithms,
  Precedence,
  ProfileTuple,
  StraightLineOrder
}
import org.streamon.core.loop.Versioned
import org.streamon.spark.metrics.Guard
import org.streamon.spark.settings.FilterSettings

/** The loop of one filter, or of one of its routes, shared by the tasks of an executor. The algorithm's
  * order, which is `current`, is followed where it pays, and the straight order elsewhere.
  *
  * @param compiledOrder
  *   the order that generated code has straight
  * @param learnedPaid
  *   whether the learned order paid so far
  * @param clock
  *   milliseconds since the epoch
  */
final class FilterLoop private (
    settings: FilterSettings,
    isForced: Boolean,
    algorithm: OrderingAlgorithm,
    pinned: Seq[(Int, Int)],
    private var learnedGuards: List[Guard],
    private var compiledOrder: Option[Array[Int]],
    learnedPaid: Boolean,
    clock: () => Long
) extends OrderLoop(algorithm) {
  private val none = new FilterSet(algorithm.plan.length)

  /** The straight order, as long as it obeys every guard. */
  private var straight = obedient(compiledOrder)
  private var price = priceOf(straight, learnedPaid)

  @volatile private var followed = choose()
  private val budget =
    new ProfilingBudget(
      if (algorithm.profiles) settings.profilingProbability else 0.0,
      settings.profilingBudget
    )

  /** The order that rows follow: the learned one, or the straight one where the learned one does not pay. */
  def order: Array[Int] = followed

  private def followsLearned: Boolean = followed eq current.plan

  /** The share of rows to sample. */
  def profilingProbability: Double = budget.probability

  /** Whether next to nothing has been sampled yet. */
  def isFresh: Boolean = budget.warmsUp

  /** Whether it goes on under these settings. It does not when a guard is too old to be obeyed. */
  def serves(other: FilterSettings): Boolean = settings == other && guards.forall(_.holds(clock()))

  /** Learned from rows on which a conjunct raised. */
  def guards: Seq[Guard] = synchronized(learnedGuards)

  /** A task begins, in whose code this order is the straight one. What is learned moves it from time to time;
    * then the new one is followed, and priced. The change of the followed order that comes of it, if any.
    */
  def compiled(order: Option[Array[Int]]): Option[OrderLoop.Reorder] = synchronized {
    if (order.map(_.toSeq) == compiledOrder.map(_.toSeq)) None
    else {
      val paid = followsLearned
      compiledOrder = order
      straight = obedient(order)
      // Others may have moved it, to what does not pay here.
      price = priceOf(straight, paid && !straight.exists(_.sameElements(current.plan)))
      adopt()
    }
  }

  /** Takes in a sampled row that was dropped under the order `seen`. The change of the followed order that
    * comes of it, if any.
    */
  def observe(tuple: ProfileTuple, seen: Versioned[Array[Int]]): Option[OrderLoop.Reorder] = synchronized {
    if (isCurrent(seen)) {
      offer(tuple, seen)
      adopt(tuple.dropped)
    } else None
  }

  /** Takes in a sampled row that passed every conjunct. The change of the followed order that comes of it, if
    * any.
    */
  def observePass(): Option[OrderLoop.Reorder] = synchronized(adopt(dropped = none))

  private def adopt(dropped: FilterSet): Option[OrderLoop.Reorder] = {
    price.foreach(_.observe(dropped, current.plan, meanNanos))
    adopt()
  }

  /** `guard` dropped a row on which `guarded` raises: from now on it goes first. The change of the followed
    * order that comes of it, if any.
    */
  def guard(guard: Int, guarded: Int): Option[OrderLoop.Reorder] = synchronized {
    if (!isForced && !learnedGuards.exists(_.isBetween(guard, guarded)) && precede(guard, guarded)) {
      learnedGuards ::= Guard(guard, guarded, clock())
      straight = obedient(straight)
      adopt()
    } else None
  }

  /** Sampling slows down when it takes more than its share. */
  def account(base: Long, extra: Long): Unit = synchronized(budget.account(base, extra))

  private def adopt(): Option[OrderLoop.Reorder] = {
    val before = followed
    followed = choose()
    Option.unless(java.util.Arrays.equals(before, followed)) {
      val change = decision(before, followed)
      price.fold(change) { p =>
        val prices = change.statistics.copy(straightNanos = p.straightNanos, learnedNanos = p.learnedNanos)
        change.copy(statistics = prices)
      }
    }
  }

  private def obedient(order: Option[Array[Int]]): Option[Array[Int]] = order.filter { o =>
    val before = pinned ++ learnedGuards.map(g => (g.first, g.second))
    algorithm.profiles && Precedence.of(o.length, before: _*).obeyedBy(o)
  }

  private def priceOf(order: Option[Array[Int]], learnedPaid: Boolean) = order.map {
    new StraightLineOrder(_, FilterTask.DispatchNanos.toDouble, settings.window, learnedPaid)
  }

  private def choose(): Array[Int] =
    straight.filterNot(_ => price.exists(_.learnedPays)).getOrElse(current.plan)
}

object FilterLoop {

  /** @param before
    *   the profile under other settings, of which order and guards are taken over
    */
  def apply(
      runtime: FilterRuntime,
      before: Option[FilterLoop],
      clock: () => Long = () => System.currentTimeMillis
  ): FilterLoop = make(
    runtime,
    before.fold(runtime.initialOrder)(_.current.plan),
    before.fold(Seq.empty[Guard])(_.guards) ++ runtime.initialGuards,
    runtime.settings.forced(runtime.size).isDefined,
    before.exists(_.followsLearned),
    clock
  )

  /** Of a route, which was chosen since it pays.
    *
    * @param known
    *   guards of all routes
    */
  def ofRoute(
      runtime: FilterRuntime,
      order: Array[Int],
      known: Seq[Guard],
      isForced: Boolean,
      clock: () => Long
  ): FilterLoop = make(runtime, order, known, isForced, learnedPaid = true, clock)

  private def make(
      runtime: FilterRuntime,
      learned: Array[Int],
      known: Seq[Guard],
      isForced: Boolean,
      learnedPaid: Boolean,
      clock: () => Long
  ): FilterLoop = {
    val settings = runtime.settings
    val precedence = Precedence.of(runtime.size, (if (isForced) Nil else runtime.pinned): _*)
    // One that contradicts another is not obeyed.
    val guards = Guard
      .latest(known)
      .filter(g => g.holds(clock()) && (isForced || precedence.add(g.first, g.second)))
      .toList
    val first = settings.forced(runtime.size).getOrElse(learned)
    def make(n: Int, order: Array[Int], guards: Precedence) = OrderingAlgorithms.create(
      if (isForced) "static" else settings.orderingAlgorithm,
      n,
      order,
      settings.window,
      settings.thrashAvoidance,
      guards
    )
    val algorithm = runtime.blockFrom.fold(make(runtime.size, first, precedence)) {
      new BlockOrdering(runtime.size, _, first, precedence, make)
    }
    new FilterLoop(
      settings,
      isForced,
      algorithm,
      runtime.pinned,
      guards,
      runtime.straightOrder,
      learnedPaid,
      clock
    )
  }
}
