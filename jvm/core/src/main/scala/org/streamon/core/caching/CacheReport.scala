package org.streamon.core.caching

/** What one cache has done.
  *
  * @param places
  *   where it is looked up
  * @param updates
  *   tuples that came by for its maintenance
  * @param benefit
  *   and `cost`: nanoseconds for each element of the join, as of when it was chosen
  */
final case class CacheReport(
    places: Seq[String],
    hits: Long,
    misses: Long,
    updates: Long,
    entries: Int,
    bytes: Long,
    benefit: Double,
    cost: Double
)
