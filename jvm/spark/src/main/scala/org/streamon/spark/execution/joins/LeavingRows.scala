package org.streamon.spark.execution.joins

import org.streamon.core.caching.CachedPipeline
import org.streamon.spark.execution.state.DepartureListener

/** Updates the caches when rows leave.
  *
  * @param cached
  *   by input
  */
final class LeavingRows(inputs: JoinedInputs, cached: Array[CachedPipeline]) extends DepartureListener {
  private val joined = new Array[Long](cached.length)

  override def hasLeft(input: Int, slot: Int): Unit = {
    inputs.depart()
    joined(input) = slot.toLong
    cached(input).left(joined)
  }
}
