package org.streamon.core.caching

import org.streamon.core.joins.Bits

/** A subresult that is cached, for the one or several places that use it.
  */
private[core] final class CachedContent(
    val of: Candidate.Content,
    val memory: CacheMemory#Share,
    sign: Sign,
    val work: CacheWork
) {

  /** Its windows; a tuple has a reference for each, in this sequence. */
  val windows: Array[Int] = Bits.members(of.subresult).toArray
  val classes: Long = of.classes
  val isGlobal: Boolean = of.semijoin != 0L
  val cache: SubresultCache = new SubresultCache(windows.length, Bits.size(classes), memory)

  /** Tuples that came by for maintenance. */
  var updates: Long = 0L

  def inserting: Boolean = sign.inserting

  /** Whether the row at hand can be referred to. */
  def isMaintained: Boolean = sign.isKept

  /** Whether a miss may make an entry. Where the pipeline's own window keeps the entry right, only for a row
    * that will be there (digest of Section 5.7, rule 2).
    */
  def mayCreate(candidate: Candidate): Boolean =
    !candidate.supportsItself || sign.inserting && sign.isKept

  def close(): Unit = {
    cache.dropAll()
    memory.close()
  }
}
