package org.streamon.spark.util

import java.util.concurrent.atomic.AtomicBoolean

import scala.util.control.NonFatal

import org.apache.spark.internal.Logging

/** The review of a plan, beside the tasks. One waits or runs at a time. What goes wrong is no reason to fail
  * anything: the plan stays, and is not reviewed again.
  *
  * @param failed
  *   what the log says then
  */
private[spark] final class QueuedReview(failed: String)(review: => Unit) extends Logging {
  private val isQueued = new AtomicBoolean
  @volatile private var hasFailed = false

  /** Has the plan reviewed, if there is room. */
  def offer(): Unit =
    if (!hasFailed && isQueued.compareAndSet(false, true) && !Reviews.submit(() => run())) isQueued.set(false)

  private def run(): Unit =
    try review
    catch {
      case error @ (NonFatal(_) | _: LinkageError | _: StackOverflowError) =>
        hasFailed = true
        logWarning(failed, error)
    } finally isQueued.set(false)
}
