package org.streamon.spark.execution

import org.streamon.core.filters.{Precedence, ProfileTuple, Reoptimizers, StraightOrder}
import org.streamon.spark.settings.FilterSettings

/** The profile and the order of one filter, shared by the tasks of an executor. Tasks read the order without
  * a lock; only sampled rows take it.
  *
  * @param before
  *   the profile under other settings, of which order and guards are taken over
  */
final class SharedProfile(runtime: FilterRuntime, before: Option[SharedProfile]) {
  private val settings = runtime.settings
  private val forced = settings.forcedOrder.filter(_.sorted == runtime.conjuncts.indices).map(_.toArray)
  private val adapts = forced.isEmpty && settings.algorithm != "static"
  private var learnedGuards = before.toList.flatMap(_.guards)
  private val precedence = new Precedence(runtime.size)
  (runtime.pinned ++ learnedGuards).foreach { case (first, second) => precedence.add(first, second) }
  private val reoptimizer = Reoptimizers.create(
    settings.algorithm,
    runtime.size,
    before.fold(runtime.initialOrder)(_.learned),
    settings.window,
    settings.thrashAvoidance,
    precedence
  )

  // The straight order serves as long as it obeys every guard.
  private var straight = runtime.straightOrder.filter(order => adapts && precedence.obeyedBy(order))
  private val price = straight.map { order =>
    new StraightOrder(
      order,
      FilterTask.DispatchNanos.toDouble,
      settings.window,
      before.exists(_.followsLearned)
    )
  }

  @volatile private var learnedOrder: Array[Int] = forced.getOrElse(reoptimizer.order)
  @volatile private var current: Array[Int] = followed
  @volatile private var pace: Double = if (adapts) settings.profilingProbability else 0.0

  private var samples = 0L
  private var baseNanos = 0.0
  private var extraNanos = 0.0

  /** The order that rows follow: the learned one, or the straight one where the learned one does not pay. */
  def order: Array[Int] = current

  /** The algorithm's order: sampled rows follow it. */
  def learned: Array[Int] = learnedOrder

  private def followsLearned: Boolean = current eq learnedOrder

  /** The share of rows to sample: the drop-profiling probability, or less, so that profiling keeps within its
    * budget.
    */
  def profilingProbability: Double = pace

  def serves(other: FilterSettings): Boolean = settings == other

  /** Pairs (guard, guarded) learned from rows on which the second raised. */
  def guards: Seq[(Int, Int)] = synchronized(learnedGuards)

  /** The position to evaluate next, only for the profile, of a row dropped at `dropPosition` under the order
    * `seen`; none when another task has replaced that order.
    */
  def nextPosition(seen: Array[Int], dropPosition: Int, after: Int, dropped: Long): Int = synchronized {
    if (seen eq learnedOrder) reoptimizer.nextPosition(dropPosition, after, dropped) else runtime.size
  }

  /** Takes in a sampled row that was dropped under the order `seen`. It is void when another task has
    * replaced that order meanwhile. The change of order that follows, if any.
    */
  def observe(tuple: ProfileTuple, seen: Array[Int]): Option[OrderChange] = synchronized {
    if (seen eq learnedOrder) {
      reoptimizer.observe(tuple)
      adopt(tuple.dropped)
    } else None
  }

  /** Takes in a sampled row that passed every conjunct. The change of order that follows, if any. */
  def observePass(): Option[OrderChange] = synchronized(adopt(dropped = 0L))

  private def adopt(dropped: Long): Option[OrderChange] = {
    price.foreach(_.observe(dropped, reoptimizer.order, reoptimizer.meanNanos(_)))
    adopt()
  }

  /** `guard` dropped a row on which `guarded` raises: from now on it goes first. The change of order that
    * follows, if any.
    */
  def precede(guard: Int, guarded: Int): Option[OrderChange] = synchronized {
    if (forced.isEmpty && reoptimizer.precede(guard, guarded)) {
      learnedGuards ::= guard -> guarded
      straight = straight.filter(order => order.indexOf(guard) < order.indexOf(guarded))
      adopt()
    } else None
  }

  def meanNanos(q: Int): Double = synchronized(reoptimizer.meanNanos(q))

  /** Sampling slows down when it takes more than its share.
    *
    * @param base
    *   nanoseconds that the sampled row would have taken anyway
    * @param extra
    *   nanoseconds that profiling it added
    */
  def account(base: Long, extra: Long): Unit = synchronized {
    samples += 1
    baseNanos = SharedProfile.towardsMedian(baseNanos, base.toDouble)
    extraNanos = SharedProfile.towardsMedian(extraNanos, extra.toDouble)
    if (samples >= SharedProfile.WarmUp)
      pace = math.min(
        settings.profilingProbability,
        settings.profilingBudget * baseNanos / extraNanos
      )
  }

  private def adopt(): Option[OrderChange] = {
    val before = current
    learnedOrder = reoptimizer.order
    current = followed
    if (java.util.Arrays.equals(before, current)) None
    else
      Some(
        OrderChange(
          before,
          current,
          Vector.tabulate(runtime.size)(reoptimizer.dropRate),
          Vector.tabulate(runtime.size)(reoptimizer.meanNanos),
          price.fold(Double.NaN)(_.straightNanos),
          price.fold(Double.NaN)(_.learnedNanos)
        )
      )
  }

  private def followed: Array[Int] =
    straight.filterNot(_ => price.exists(_.learnedPays)).getOrElse(learnedOrder)
}

/** A change of the order that rows follow, and the statistics that moved it: by written position, NaN when
  * unknown. See [[org.streamon.spark.metrics.Decision]].
  */
final case class OrderChange(
    before: Array[Int],
    after: Array[Int],
    dropRate: IndexedSeq[Double],
    nanos: IndexedSeq[Double],
    straightNanos: Double,
    learnedNanos: Double
)

object SharedProfile {

  /** Samples taken at full pace before the budget is applied. */
  private val WarmUp = 64L

  /** How far an estimate moves with a sample. */
  private val Step = 1.05

  /** Follows the median: a pause of the machine moves it by one step, and code that is compiled meanwhile is
    * believed within some dozens of samples.
    */
  private def towardsMedian(estimate: Double, sample: Double): Double =
    if (estimate == 0.0) math.max(sample, 1.0)
    else if (sample > estimate) estimate * Step
    else math.max(estimate / Step, 1.0)
}
