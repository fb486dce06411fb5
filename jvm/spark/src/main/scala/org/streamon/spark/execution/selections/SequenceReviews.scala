package org.streamon.spark.execution.selections

import scala.util.control.NonFatal

import org.apache.spark.internal.Logging
import org.streamon.core.selections.SelectionLoop
import org.streamon.spark.execution.Reviews

/** Reviews sequences beside the tasks. What goes wrong is no reason to fail anything: the sequence stays. */
private[selections] object SequenceReviews extends Logging {

  /** Has a loop reviewed when that is due. */
  def offer(loop: SelectionLoop): Unit = if (loop.isDue) Reviews.submit(() => review(loop))

  private def review(loop: SelectionLoop): Unit =
    try loop.review()
    catch {
      case error @ (NonFatal(_) | _: LinkageError | _: StackOverflowError) =>
        logWarning("The order of the columns of streamon_match is not reviewed", error)
    }
}
