package org.streamon.spark.util

import java.util.concurrent.{ArrayBlockingQueue, RejectedExecutionException, ThreadPoolExecutor, TimeUnit}

/** The thread of an executor in which plans are reviewed, beside the tasks. Few reviews wait: one that finds
  * no place is left out, and is asked for again.
  */
private[util] object Reviews {
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
        val thread = new Thread(review, "streamon-reviews")
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
