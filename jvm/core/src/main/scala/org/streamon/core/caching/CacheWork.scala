package org.streamon.core.caching

/** What the caches of a join have moved, those that are gone included. */
private[core] final class CacheWork {

  /** Tuples taken from values on hits. */
  var read: Long = 0L

  /** Tuples of the values made on misses. */
  var created: Long = 0L

  /** Tuples of values with which one that came by was compared. */
  var compared: Long = 0L

  /** Values that were too large to be kept. */
  var tooLarge: Long = 0L
}
