package org.streamon.core.caching

import org.streamon.core.joins.Bits

/** A subresult that is cached, for the one or several places that use it.
  *
  * @param expected
  *   keys that its table is made for
  */
private[core] final class CachedContent(
    val of: Candidate.Content,
    val memory: CacheMemory#Share,
    expected: Int,
    sign: Sign
) {

  /** Its windows; a tuple has a reference for each, in this sequence. */
  val windows: Array[Int] = Bits.members(of.subresult).toArray
  val classes: Long = of.classes
  val isGlobal: Boolean = of.semijoin != 0L
  val cache: SubresultCache = new SubresultCache(
    windows.length,
    Bits.size(classes),
    Integer.highestOneBit(math.min(math.max(2 * expected, 64), 1 << 16)),
    memory
  )

  /** Tuples that came by for maintenance. */
  var updates: Long = 0L

  def inserting: Boolean = sign.inserting

  /** Whether the row at hand can be referred to. */
  def isMaintained: Boolean = sign.isKept

  /** Whether a miss may make an entry. Not for a row that leaves, when it may be the last to keep the entry
    * right (digest of Section 5.7, rule 2).
    */
  def mayCreate(candidate: Candidate): Boolean = sign.inserting || !candidate.supportsItself

  def close(): Unit = {
    cache.dropAll()
    memory.close()
  }
}
