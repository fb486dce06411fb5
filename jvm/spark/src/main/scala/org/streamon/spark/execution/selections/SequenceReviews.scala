package org.streamon.spark.execution.selections

import java.util.{Collections, WeakHashMap}

import scala.util.control.NonFatal

import org.apache.spark.internal.Logging
import org.streamon.core.selections.SelectionLoop
import org.streamon.spark.execution.Reviews

/** Reviews sequences beside the tasks. What goes wrong is no reason to fail anything: the sequence stays. */
private[selections] object SequenceReviews extends Logging {

  /** Loops of which a review waits or runs, or has failed. */
  private val closed = Collections.synchronizedSet(
    Collections.newSetFromMap(new WeakHashMap[SelectionLoop, java.lang.Boolean])
  )

  /** Has a loop reviewed when that is due. */
  def offer(loop: SelectionLoop): Unit =
    if (loop.isDue && closed.add(loop) && !Reviews.submit(() => review(loop))) closed.remove(loop)

  private def review(loop: SelectionLoop): Unit =
    try {
      loop.review()
      closed.remove(loop)
    } catch {
      case error @ (NonFatal(_) | _: LinkageError | _: StackOverflowError) =>
        logWarning("The order of the columns of a streamon_match is no longer reviewed", error)
    }
}
