package org.streamon.core.caching

import org.streamon.core.joins.{Bits, ReferableSynopses}

/** Reads the key of a cache from what is joined: a number for each key class.
  *
  * @param classes
  *   as bits
  * @param from
  *   by key class, the input whose joined row has the value
  */
private[core] final class CacheKey(classes: Long, from: Array[Int], synopses: ReferableSynopses) {
  private val members = Bits.members(classes).toArray

  /** The key read last. */
  val values: Array[Long] = new Array[Long](members.length)

  /** False when a value has no number. */
  def read(joined: Array[Long]): Boolean = {
    var k = 0
    var known = true
    while (k < members.length && known) {
      values(k) = synopses.key(members(k), from(members(k)), joined)
      known = values(k) != ReferableSynopses.NoKey
      k += 1
    }
    known
  }
}
