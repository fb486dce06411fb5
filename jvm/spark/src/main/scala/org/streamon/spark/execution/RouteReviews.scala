package org.streamon.spark.execution

import java.util.concurrent.{ArrayBlockingQueue, RejectedExecutionException, ThreadPoolExecutor, TimeUnit}

/** The thread of an executor in which routes are reviewed, beside the tasks. A search has a limit of time,
  * and few reviews wait: one that finds no place is left out, and the next sampled row asks again.
  */
private[execution] object RouteReviews {
  private val Waiting = 64
  private val IdleSeconds = 30L

  private val thread = {
    val pool = new ThreadPoolExecutor(
      1,
      1,
      IdleSeconds,
      TimeUnit.SECONDS,
      new ArrayBlockingQueue[Runnable](Waiting),
      (review: Runnable) => {
        val thread = new Thread(review, "streamon-routes")
        thread.setDaemon(true)
        thread
      }
    )
    pool.allowCoreThreadTimeOut(true)
    pool
  }

  /** Whether the review will run. */
  def submit(review: Runnable): Boolean =
    try {
      thread.execute(review)
      true
    } catch { case _: RejectedExecutionException => false }
}
