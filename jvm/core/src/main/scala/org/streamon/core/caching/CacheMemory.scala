package org.streamon.core.caching

import scala.collection.mutable

/** The memory that caches share, in pages (thesis, Section 5.6). A cache that needs a page takes a free one,
  * else a page of a cache of lower priority, else it stays as it is. Priority is net benefit for each byte.
  *
  * Shared by threads. A cache that loses a page drops entries at once when nobody works on it, and otherwise
  * when its own thread next asks; so long the bound may be passed, by at most the pages in question.
  *
  * @param bytes
  *   in all, 1 or more
  * @throws IllegalArgumentException
  *   when it is less
  */
final class CacheMemory(val bytes: Long) {
  require(bytes > 0, s"memory of $bytes bytes: expected 1 or more")

  private val page = CacheMemory.pageBytes(bytes)
  private var free = bytes / page
  private val shares = mutable.LinkedHashSet.empty[Share]

  /** Bytes of all pages that are given out. */
  def taken: Long = synchronized(bytes / page - free) * page

  /** What one owner's cache has of the memory.
    *
    * @param owner
    *   told when a page is taken from the cache, if it is idle
    */
  final class Share(owner: CacheMemory.Owner) {
    private[CacheMemory] var pages = 0L
    @volatile private var limit = 0L
    @volatile private var worth = 0.0

    /** Bytes that it may take now. */
    def allowed: Long = limit

    /** Net benefit for each byte. */
    def priority: Double = worth

    def priority_=(value: Double): Unit = worth = value

    /** Asks for pages up to so many bytes. False when there are none to be had; what it has it keeps. */
    def grow(bytes: Long): Boolean = CacheMemory.this.synchronized {
      while (limit < bytes && (takeFree() || takeFrom(lowest))) ()
      limit >= bytes
    }

    /** Gives back all pages. Its entries must be gone. */
    def close(): Unit = CacheMemory.this.synchronized {
      free += pages
      set(0L)
      shares -= this
    }

    private def takeFree(): Boolean = (free > 0) && {
      free -= 1
      shares += this
      set(pages + 1)
      true
    }

    private def takeFrom(other: Option[Share]): Boolean = other.exists { victim =>
      victim.set(victim.pages - 1)
      victim.lost()
      set(pages + 1)
      true
    }

    private def lowest: Option[Share] =
      shares.filter(s => (s ne this) && s.pages > 0 && s.worth < worth).minByOption(_.worth)

    private[CacheMemory] def lost(): Unit = owner.lost()

    private[CacheMemory] def set(count: Long): Unit = {
      pages = count
      limit = count * page
    }
  }
}

object CacheMemory {

  /** Whose caches take part. */
  trait Owner {

    /** One of its caches may take less than before. Called by any thread. */
    def lost(): Unit
  }

  /** A page: 4 KB, and less of a memory that has not many of them. */
  private def pageBytes(bytes: Long): Long = math.max(1L, math.min(4096L, bytes / 64))
}
