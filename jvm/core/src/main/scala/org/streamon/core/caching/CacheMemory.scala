package org.streamon.core.caching

import scala.collection.mutable

/** The memory that caches share, in pages (thesis, Section 5.6). A cache that needs a page takes a free one,
  * else a page of a cache of lower priority, else it stays as it is. Priority is net benefit for each byte.
  * Profiling goes before all caches, since without it none is chosen, but has at most an eighth of the pages.
  *
  * Shared by threads. A cache that loses a page drops entries at once when nobody works on it, and otherwise
  * when its own thread takes its next row; so long the bound may be passed, by the pages in question.
  *
  * @param bytes
  *   in all, 1 or more
  * @throws IllegalArgumentException
  *   when it is less
  */
final class CacheMemory(val bytes: Long) {
  require(bytes > 0, s"memory of $bytes bytes: expected 1 or more")

  private val page = CacheMemory.pageBytes(bytes)
  private var total = bytes / page

  /** Below zero where fewer may be given out than are. */
  private var free = total
  private val forProfiling = total / CacheMemory.PartForProfiling
  private var freeForProfiling = forProfiling
  private var profilers = 0
  @volatile private var moves = 0L
  private val shares = mutable.LinkedHashSet.empty[Share]

  /** Bytes of all pages that are given out. */
  def taken: Long = synchronized(total - free) * page

  /** Gives out no more than so many bytes from now on, up to `bytes`. The caches of the lowest priority give
    * up what is above it; profiling keeps what it has.
    */
  def limit(most: Long): Unit = synchronized {
    val now = math.max(0L, math.min(most, bytes) / page)
    if (now != total) {
      free += now - total
      total = now
      if (free < 0L) free += takeFrom(shares.toSeq.filterNot(_.priority.isInfinite).sortBy(_.priority), -free)
      moves += 1
    }
  }

  /** Takes pages from caches, in their order; how many. */
  private def takeFrom(victims: Seq[Share], most: Long): Long = {
    var left = most
    for (victim <- victims if left > 0) {
      val lost = math.min(victim.pages, left)
      victim.set(victim.pages - lost)
      victim.lost()
      left -= lost
    }
    most - left
  }

  /** What one owner's cache has of the memory, or its profiling.
    *
    * @param owner
    *   told when a page is taken from the cache, if it is idle; none is taken from profiling
    */
  final class Share(owner: CacheMemory.Owner, profiling: Boolean = false) {
    private[CacheMemory] var pages = 0L
    @volatile private var limit = 0L
    @volatile private var worth = if (profiling) Double.PositiveInfinity else 0.0

    private var isClosed = false
    if (profiling) CacheMemory.this.synchronized(profilers += 1)

    /** What was refused last, and when: nothing has moved since. */
    private var refused = 0L
    private var seen = -1L

    /** Bytes of the pages that it has. */
    def allowed: Long = limit

    /** Bytes that profiling may take, at most. */
    def mostForProfiling: Long = CacheMemory.this.synchronized(limit + freeForProfiling * page)

    /** Bytes that profiling keeps to where others profile as well, an equal part of the pages; no bound where
      * it is alone.
      */
    def fairForProfiling: Long = CacheMemory.this.synchronized {
      if (profilers > 1) forProfiling / profilers * page else Long.MaxValue
    }

    /** Net benefit for each byte. */
    def priority: Double = worth

    def priority_=(value: Double): Unit = CacheMemory.this.synchronized {
      worth = value
      moves += 1
    }

    /** Asks for pages up to so many bytes, which are had at once where it has them. Where there are not as
      * many all stays as it is.
      */
    def grow(bytes: Long): Boolean =
      !isClosed && (bytes <= limit || (seen != moves || bytes < refused) && CacheMemory.this.synchronized {
        val needed = (bytes - limit + page - 1) / page
        val lower =
          if (free >= needed) Nil
          else shares.iterator.filter(s => (s ne this) && s.worth < worth).toSeq.sortBy(_.worth)
        val grants =
          free + lower.map(_.pages).sum >= needed && (!profiling || freeForProfiling >= needed)
        if (grants) take(needed, lower)
        else {
          seen = moves
          refused = bytes
        }
        grants
      })

    private def take(needed: Long, lower: Seq[Share]): Unit = {
      free += takeFrom(lower, needed - math.min(needed, free)) - needed
      shares += this
      set(pages + needed)
    }

    /** Gives back the pages beyond so many bytes, which must be free of entries. */
    def release(bytes: Long): Unit = CacheMemory.this.synchronized {
      val kept = math.min((bytes + page - 1) / page, pages)
      free += pages - kept
      set(kept)
    }

    /** Gives back all pages, for good. Its entries must be gone. */
    def close(): Unit = CacheMemory.this.synchronized {
      if (profiling && !isClosed) profilers -= 1
      isClosed = true
      release(0L)
      shares -= this
    }

    private[CacheMemory] def lost(): Unit = owner.lost()

    private[CacheMemory] def set(count: Long): Unit = {
      if (profiling) freeForProfiling += pages - count
      pages = count
      limit = count * page
      moves += 1
    }
  }
}

object CacheMemory {

  /** One page in so many. */
  private val PartForProfiling = 8L

  /** Whose caches take part. */
  trait Owner {

    /** One of its caches may take less than before. Called by any thread. */
    def lost(): Unit
  }

  /** A page: 4 KB, and less of a memory that has not many of them. */
  private def pageBytes(bytes: Long): Long = math.max(1L, math.min(4096L, bytes / 64))
}
