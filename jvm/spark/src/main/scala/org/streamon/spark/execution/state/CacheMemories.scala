package org.streamon.spark.execution.state

import scala.collection.concurrent.TrieMap

import org.streamon.core.caching.CacheMemory

/** The memory for caches in this executor. All MJoins with the same budget share it, also of other queries.
  */
object CacheMemories extends ExecutorMemory.Caches {
  private val memories = TrieMap.empty[(Long, Long), CacheMemory]

  /** @param budget
    *   bytes for all that is kept in the executor
    * @param bytes
    *   those that caches may take of it, at most
    */
  def of(budget: Long, bytes: Long): CacheMemory =
    memories.getOrElseUpdate((budget, bytes), new CacheMemory(bytes))

  override def taken: Long = memories.values.iterator.map(_.taken).sum

  override def limit(budget: Long, bytes: Long): Unit =
    for (((`budget`, _), memory) <- memories) memory.limit(bytes)
}
