package org.streamon.spark.execution.joins

import org.streamon.spark.execution.state.{MemoryShare, Mirror}
import org.streamon.spark.util.LogOnce

/** Keeps the mirror of one task within what the executor has for it, while the micro-batch runs. What all
  * mirrors and caches take is looked at after every megabyte of rows, or earlier where the budget is small.
  * Past the budget caches go first, then mirrors that wait and have more than an equal part; then this one
  * lets inputs be read from the state store, until it has its part.
  */
private[joins] final class TaskMemory(share: MemoryShare, mirror: Mirror) {
  private val stride = math.min(TaskMemory.Stride, share.budget / TaskMemory.Looks)
  private var grown = 0L
  share.bytes = mirror.memoryBytes

  /** A row is kept in memory.
    *
    * @param bytes
    *   of the row alone
    */
  def grows(bytes: Int): Unit = grown += TaskMemory.RowOverhead + bytes

  /** Whether it is time for a look. */
  def isDue: Boolean = grown > stride

  /** Compares what is taken with the budget.
    *
    * @param spill
    *   lets an input be read from the state store
    */
  def review(spill: Int => Unit): Unit = {
    grown = 0L
    share.bytes = mirror.memoryBytes
    share.limitCaches()
    if (share.isTight) {
      MirrorRegistry.shrink(share)
      while (share.bytes > share.most && mirror.largest.isDefined) {
        spill(mirror.largest.get)
        share.bytes = mirror.memoryBytes
        if (mirror.largest.isEmpty) warn()
      }
    }
  }

  private def warn(): Unit = LogOnce.warn(
    s"The ${share.budget} bytes of spark.streamon.executor.memory in this executor are too few for an MJoin. All of " +
      "its rows are read from the state store. Set a larger value, or run fewer partitions on each executor."
  )
}

private object TaskMemory {

  /** Bytes between two looks, at most. */
  val Stride: Long = 1L << 20

  /** Looks while a budget fills up, at least. */
  val Looks = 64L

  /** What a row takes beside its bytes, at most about. */
  val RowOverhead = 256L
}
