package org.streamon.spark.execution.constraints

import org.streamon.core.constraints.{ConstraintMode, Monitor, MonitoredConstraint}
import org.streamon.spark.errors.CheckpointError
import org.streamon.spark.execution.state.{DurableConstraints, JoinShape}
import org.streamon.spark.util.LogOnce

/** The monitors of one partition in the checkpoint. One entry has all counters, the stamp of its state and
  * the rules by which rows were evicted. Each page of keys has an entry of its own, and a micro-batch writes
  * only the pages that it has changed.
  */
final class ConstraintCheckpoint(state: ConstraintState, shape: JoinShape) {
  import ConstraintCheckpoint._
  import state.{monitors, settings}

  /** Whether the store has all that has not changed since the latest `save`. */
  private var isStored = false

  /** Checks that a declared k has the same meaning as when the state was written. If results do not depend on
    * it, a difference is only logged.
    *
    * @param path
    *   the checkpoint
    * @throws CheckpointError
    *   when results depend on it
    */
  def check(path: String, stamp: Long, store: DurableConstraints): Unit = for {
    (1, _) <- entry(stamp, store)
    ca <- monitors.all.collect { case c: MonitoredConstraint.Clustered => c }
    k <- ca.declared
  } {
    val error = CheckpointError.countedFromLatest(path, ConstraintText(ca, shape), k)
    settings.mode match {
      case ConstraintMode.Approximate | ConstraintMode.Strict => throw error
      case mode                                               =>
        LogOnce.warn(
          s"The query continues, since spark.streamon.join.constraints is ${mode.name}: ${error.getMessage}"
        )
    }
  }

  /** Puts back what `save` wrote: where rows have gone by it, it must be what it was. What a former version
    * wrote is written anew as a whole.
    *
    * @param stamp
    *   of the state; what was written with another is not of its rows
    */
  def restore(stamp: Long, store: DurableConstraints): Unit = entry(stamp, store).foreach {
    case (Monitor.Version, numbers) =>
      def page(of: MonitoredConstraint, number: Long) =
        store.get(pageName(of, number)).getOrElse(Array.empty[Long])
      monitors.restore(numbers.drop(Before), page)
      isStored = true
    case (former, _) => for (w <- monitors.all) store.get(w.name).foreach(w.restoreFormer(_, former))
  }

  /** Writes what has changed. */
  def save(stamp: Long, store: DurableConstraints): Unit = {
    if (!isStored) store.clear()
    isStored = true
    store.put(entryName(Monitor.Version), Array(stamp, rules) ++ monitors.counters)
    for (w <- monitors.all) w.changedPages { (number, content) =>
      if (content.isEmpty) store.remove(pageName(w, number)) else store.put(pageName(w, number), content)
    }
  }

  /** Whether rows may stay where constraints have put them: in strict, where these are the same that it has.
    */
  def keepsCold(stamp: Long, store: DurableConstraints): Boolean = settings.mode.evicts &&
    (settings.mode != ConstraintMode.Strict || entry(stamp, store).exists(_._2(1) == rules))

  /** The entry that was written with this state, and its version. */
  private def entry(stamp: Long, store: DurableConstraints) =
    Versions.flatMap(v => store.get(entryName(v)).map(v -> _)).find(_._2.head == stamp)

  private def rules = (settings.mode.name, state.declared.toSet).hashCode.toLong
}

private object ConstraintCheckpoint {

  /** Of the state that can be read, the newest first. */
  private val Versions = Monitor.Version to 1 by -1

  /** Numbers of an entry before the counters. */
  private val Before = 2

  /** By another name no version finds what it cannot read, and begins anew. */
  private def entryName(version: Int) = if (version == 1) "latest" else s"latest $version"

  private def pageName(of: MonitoredConstraint, page: Long) = s"${of.name} $page"
}
