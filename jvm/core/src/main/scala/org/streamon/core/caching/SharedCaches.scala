package org.streamon.core.caching

import scala.collection.mutable

/** What the caches of one join hold that are used, and what those that are gone have done.
  *
  * @param memory
  *   for the entries
  * @param owner
  *   is told when pages are taken from them
  * @param largest
  *   tuples of a value
  */
private[core] final class SharedCaches(
    memory: CacheMemory,
    owner: CacheMemory.Owner,
    sign: Sign,
    largest: Int
) {
  private val contents = mutable.LinkedHashMap.empty[Candidate.Content, SharedCache]
  private val observed = mutable.HashMap.empty[Candidate.Content, MissRatio]
  private var closedHits, closedMisses = 0L

  /** Of all that there were. */
  val work: CacheWork = new CacheWork
  def hits: Long = closedHits + contents.values.map(_.cache.hits).sum
  def misses: Long = closedMisses + contents.values.map(_.cache.misses).sum

  def apply(of: Candidate.Content): SharedCache = contents(of)

  def bytes: Long = contents.values.map(_.cache.bytes).sum

  /** How often the cache of one has missed of late, once it has had time to fill. */
  def miss(of: Candidate.Content): Option[Double] =
    observed.getOrElseUpdate(of, new MissRatio).miss(contents(of).cache)

  /** Those whose values are too large to be kept. */
  def tooLarge: Set[Candidate.Content] =
    contents.collect { case (of, content) if content.isTooLarge => of }.toSet

  /** From now on there are only these. */
  def keep(those: Seq[Candidate.Content]): Unit = {
    val wanted = those.toSet
    contents.filterInPlace { (of, content) =>
      if (!wanted(of)) {
        closedHits += content.cache.hits
        closedMisses += content.cache.misses
        content.close()
      }
      wanted(of)
    }
    observed.filterInPlace((of, _) => wanted(of))
    those.foreach { of =>
      contents.getOrElseUpdate(of, new SharedCache(of, new memory.Share(owner), sign, work, largest))
    }
  }

  def dropAll(): Unit = contents.values.foreach(_.cache.dropAll())

  /** Gives back what others have been given. */
  def shrink(): Unit = contents.values.foreach(c => c.cache.shrink(c.memory.allowed))

  /** Gives back all memory, for good. */
  def close(): Unit = contents.values.foreach(_.close())
}
