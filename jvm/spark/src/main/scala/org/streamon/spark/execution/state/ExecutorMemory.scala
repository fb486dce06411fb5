package org.streamon.spark.execution.state

import java.util.concurrent.atomic.{AtomicInteger, AtomicLong}

import org.streamon.spark.util.LogOnce

/** The memory of StreaMon in one executor, for all queries: mirrors, and the caches over them. Each mirror
  * reports its size, and compares the sum with the budget of its own query. So queries with the same budget
  * share it, and a query with a small budget takes nothing from another one.
  *
  * Rows have priority over caches, since a probe of the state store costs more than a cache can save.
  */
final class ExecutorMemory(caches: ExecutorMemory.Caches) {
  private val mirrors = new AtomicLong
  private val owners = new AtomicInteger

  /** For one more mirror.
    *
    * @param budget
    *   bytes that its query allows for all that is kept in the executor
    */
  def newShare(budget: Long): MemoryShare = new MemoryShare(this, budget)

  /** Bytes that are taken, about. */
  def taken: Long = mirrors.get + caches.taken

  private[state] def add(bytes: Long): Unit = { mirrors.addAndGet(bytes); () }
  private[state] def join(): Unit = { owners.incrementAndGet(); () }
  private[state] def leave(): Unit = { owners.decrementAndGet(); () }

  /** An equal part for each mirror of so many bytes, of what caches leave. */
  private[state] def fair(budget: Long): Long =
    math.max(0L, budget - caches.taken) / math.max(1, owners.get)

  /** Leaves to caches what mirrors do not take. */
  private[state] def limitCaches(budget: Long): Unit =
    caches.limit(budget, math.max(0L, budget - mirrors.get))
}

object ExecutorMemory {

  /** That of this executor. */
  val here: ExecutorMemory = new ExecutorMemory(CacheMemories)

  /** The caches of an executor. */
  trait Caches {

    /** Bytes that they take. */
    def taken: Long

    /** Those of a budget may take no more than so many bytes from now on. */
    def limit(budget: Long, bytes: Long): Unit
  }

  /** The part of the heap that a query may use where no conf says how much. Spark's own memory takes up to
    * six tenths of it.
    */
  private val PartOfHeap = 0.3

  /** The part of a budget that caches may take where rows leave it. */
  private val PartForCaches = 0.25

  /** The budget of a query in this executor, bytes.
    *
    * @param conf
    *   what `spark.streamon.executor.memory` says
    */
  def budget(conf: Option[Long]): Long = budget(conf, Runtime.getRuntime.maxMemory)

  private[state] def budget(conf: Option[Long], heap: Long): Long = {
    val byDefault = (heap * PartOfHeap).toLong
    conf match {
      case Some(bytes) if bytes > heap =>
        LogOnce.warn(
          s"spark.streamon.executor.memory is $bytes bytes, more than the heap of the executor ($heap bytes). " +
            s"The default of $byDefault bytes is used instead. Set a value up to the size of the heap, or unset it."
        )
        byDefault
      case Some(bytes) => bytes
      case None        => byDefault
    }
  }

  /** What caches may take of a budget, at most. */
  def forCaches(budget: Long): Long = math.max(1L, (budget * PartForCaches).toLong)
}
