package org.streamon.spark.execution.joins

import org.streamon.spark.execution.state.{MemoryShare, Mirror}
import org.streamon.spark.util.LogOnce

/** Keeps the mirror of one task within the memory budget of the executor while a micro-batch runs. The memory
  * of all mirrors and caches is checked after every megabyte of rows, or earlier if the budget is small.
  * Above the budget, caches are dropped first, and then unused mirrors with more than an equal share. Then
  * this mirror moves inputs to the state store until it is within its share.
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
