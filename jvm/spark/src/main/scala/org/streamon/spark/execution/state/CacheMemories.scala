package org.streamon.spark.execution.state

import scala.collection.concurrent.TrieMap

import org.streamon.core.caching.CacheMemory

/** The memory for caches in this executor: all MJoins with the same bound share it, of whatever query. */
object CacheMemories {
  private val memories = TrieMap.empty[Long, CacheMemory]

  def of(bytes: Long): CacheMemory = memories.getOrElseUpdate(bytes, new CacheMemory(bytes))
}
