package org.streamon.core.routes

import java.util.random.RandomGenerator

import org.streamon.core.filters.Precedence
import org.streamon.core.loop.Profiler

/** The Profiler of routes: keeps a sample to learn from and another one to judge by. Rows come from some
  * threads and are asked for by another.
  *
  * @param initial
  *   guards to obey from the start; copied
  */
private[routes] final class RouteProfiler(
    attributes: IndexedSeq[Attribute],
    initial: Precedence,
    settings: RouteSettings,
    random: RandomGenerator
) extends Profiler[ProfiledRow] {
  private val n = initial.n
  private val guards = initial.copy()
  private val training = new TrainingSample(attributes, n, settings.sample, random)
  private val test = new TrainingSample(attributes, n, settings.test, random)
  private val one = settings.sample.toDouble / (settings.sample.toDouble + settings.test)
  private var offered = 0L

  /** Whether both samples are as large as they become. */
  def isFull: Boolean = synchronized(training.size == settings.sample && test.size == settings.test)

  /** Rows taken in so far. */
  def recorded: Long = synchronized(offered)

  def offer(row: ProfiledRow): Unit = {
    record(row)
    ()
  }

  /** Whether the row was taken in. It is not when its profile has ended early. */
  def record(row: ProfiledRow): Boolean = synchronized {
    val complete = isComplete(row)
    if (complete) {
      (if (random.nextDouble() < one) training else test).add(row.values, row.tuple)
      offered += 1
    }
    complete
  }

  /** Demands that `guard` stays before `guarded` from now on. False, and no effect, when that would close a
    * cycle.
    */
  def precede(guard: Int, guarded: Int): Boolean = synchronized(guards.add(guard, guarded))

  /** What is to be obeyed. */
  def precedence: Precedence = synchronized(guards.copy())

  /** Both samples, in this order, as they are now. Rows wait for copies only. */
  def samples: (TrainingSet, TrainingSet) = {
    val (learn, judge) = synchronized((training.copy(), test.copy()))
    (learn.snapshot, judge.snapshot)
  }

  /** Whether every filter was evaluated that no other one keeps from the row. The profile of a row ends early
    * when the order changes under it.
    */
  private def isComplete(row: ProfiledRow): Boolean = {
    var q = 0
    while (
      q < n && (row.tuple.evaluated.contains(q) ||
        guards.guardsOf(q).intersects(row.tuple.dropped))
    ) q += 1
    q == n
  }
}
