package org.streamon.spark.execution.state

/** The share of the mirror of one partition in the [[ExecutorMemory]]. Only one thread at a time changes it,
  * but any thread can read it.
  *
  * @param limit
  *   the budget of its query for the whole executor, in bytes
  */
final class MemoryShare private[state] (memory: ExecutorMemory, limit: Long) {
  @volatile private var has = 0L
  @volatile private var allowed = limit
  private var isClosed = false
  memory.join()

  def bytes: Long = has

  def bytes_=(now: Long): Unit = synchronized {
    if (!isClosed) {
      memory.add(now - has)
      has = now
    }
  }

  def budget: Long = allowed
  def budget_=(bytes: Long): Unit = allowed = bytes

  /** An equal part for each mirror, of what caches leave. */
  def fair: Long = memory.fair(budget)

  /** What it may have: what others leave, and never less than an equal part. */
  def most: Long = math.max(fair, budget - (memory.taken - has))

  /** Whether more is taken, by all together, than its query allows. */
  def isTight: Boolean = memory.taken > budget

  /** Leaves to the caches of its budget what mirrors do not take. */
  def limitCaches(): Unit = memory.limitCaches(budget)

  /** Gives all back, for good. */
  def close(): Unit = synchronized {
    if (!isClosed) {
      bytes = 0L
      isClosed = true
      memory.leave()
    }
  }
}
