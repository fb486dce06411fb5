package org.streamon.core.loop

import scala.collection.mutable

/** Decisions that wait to be told, the latest thousand of them. Not thread-safe.
  *
  * @tparam D
  *   a [[Decision]]
  */
final class DecisionLog[D] {
  private val latest = mutable.Queue.empty[D]

  def add(decision: D): Unit = {
    if (latest.size == DecisionLog.Most) latest.dequeue()
    latest += decision
  }

  /** The decisions since this was last called, oldest first. */
  def take(): Seq[D] = latest.dequeueAll(_ => true)
}

private object DecisionLog {
  val Most = 1000
}
