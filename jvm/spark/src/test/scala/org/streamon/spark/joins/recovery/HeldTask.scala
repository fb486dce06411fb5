package org.streamon.spark.joins.recovery

import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit.SECONDS
import java.util.concurrent.atomic.AtomicBoolean

import org.apache.spark.TaskContext

/** A task that is held at a moment of a micro-batch, the first that comes there, and does not heed
  * interrupts.
  */
final class HeldTask(batch: Long, moment: Moment) {
  private val there, release, ended = new CountDownLatch(1)
  private val first = new AtomicBoolean(true)

  /** For [[WatchedFiles]]. */
  def watch(path: String, done: Boolean): Unit =
    if (done == moment.there && moment.is(batch, path) && first.getAndSet(false)) {
      TaskContext.get().addTaskCompletionListener[Unit](_ => ended.countDown())
      there.countDown()
      while (!released) ()
    }

  /** Waits until it is there, for a minute at most. */
  def isHeld: Boolean = there.await(60, SECONDS)

  def isAlive: Boolean = ended.getCount > 0

  def letGo(): Unit = release.countDown()

  /** Waits for its end, for a minute at most. */
  def hasEnded: Boolean = ended.await(60, SECONDS)

  private def released: Boolean =
    try release.await(60, SECONDS)
    catch { case _: InterruptedException => false }
}
