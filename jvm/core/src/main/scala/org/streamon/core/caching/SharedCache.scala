package org.streamon.core.caching

import org.streamon.core.joins.Bits

/** A subresult that is cached, for the one or several places that use it.
  *
  * @param most
  *   tuples of a value when it is made
  */
private[core] final class SharedCache(
    val of: Candidate.Content,
    val memory: CacheMemory#Share,
    sign: Sign,
    val work: CacheWork,
    most: Int
) {
  import SharedCache._

  /** Its windows; a tuple has a reference for each, in this sequence. */
  val windows: Array[Int] = Bits.members(of.subresult).toArray
  val classes: Long = of.classes
  val isGlobal: Boolean = of.semijoin != 0L

  /** Tuples of a value when it is made, and afterwards too where tuples stay when one of their rows has left:
    * all are walked to take those out.
    */
  val largest: Int = if (isGlobal) math.min(most, MostWalked) else most

  val cache: SubresultCache = new SubresultCache(windows.length, Bits.size(classes), memory, work)

  /** Tuples that came by for maintenance. */
  var updates: Long = 0L

  private var tooLarge = 0L

  /** A value was made that is too large to be kept. */
  def refuse(): Unit = {
    tooLarge += 1
    work.tooLarge += 1
  }

  /** Whether such values are common. */
  def isTooLarge: Boolean = tooLarge >= Enough && Common * tooLarge > cache.hits + cache.misses

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

private[core] object SharedCache {
  private val MostWalked = 1 << 12
  private val Enough = 16L

  /** One probe in so many. */
  private val Common = 4L
}
