package org.streamon.spark.execution.joins

import org.streamon.core.caching.CachedPipeline
import org.streamon.spark.execution.state.Mirror

/** Tells the caches of rows that leave.
  *
  * @param cached
  *   by input
  */
final class LeavingRows(inputs: JoinedInputs, cached: Array[CachedPipeline]) extends Mirror.Leaving {
  private val joined = new Array[Long](cached.length)

  override def left(input: Int, slot: Int): Unit = {
    inputs.depart()
    joined(input) = slot.toLong
    cached(input).left(joined)
  }
}
