package org.streamon.core.selections

import java.util.concurrent.atomic.AtomicInteger

/** Where Executors that sample one row in so many begin to count. Many of them see only a few rows: if all
  * began alike, they would sample each row, or none. Thread-safe.
  *
  * @param every
  *   one row in so many is sampled
  */
final class SampleStarts(every: Int) {
  private val handedOut = new AtomicInteger

  /** Rows until the first sample, from 1 to `every`. */
  def next(): Int = every - Math.floorMod(handedOut.getAndAdd(SampleStarts.Step), every)
}

private object SampleStarts {

  /** It has no divisor in common with the usual distances of samples. */
  val Step = 23
}
