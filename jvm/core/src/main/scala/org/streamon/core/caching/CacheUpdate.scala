package org.streamon.core.caching

import org.streamon.core.joins.{Probe, Stage, ReferableSynopses}

/** A CacheUpdate in the pipeline of one of the subresult's windows (thesis, Section 5.4.1): every tuple that
  * passes is an insertion into the subresult, or a deletion. The first is kept even where only a tuple of
  * another window, which it has as partner, is new; then it may be known already.
  *
  * Globally-consistent caches take no deletions: a row may keep its place when a partner has left (digest of
  * Section 5.7, rule 1). That rows have left is seen when they are read.
  */
private[core] final class CacheUpdate(content: CachedContent, val place: Int, synopses: ReferableSynopses)
    extends Stage
    with Probe {
  private val own = content.windows
  private val tuple = new Array[Long](own.length)
  private var key: CacheKey = null

  def windows: IndexedSeq[Int] = Vector()
  override def classes: Long = content.classes
  override def isBarrier: Boolean = true

  def probe(classes: Long, from: Array[Int], before: IndexedSeq[Int]): Probe = {
    key = new CacheKey(classes, from, synopses)
    this
  }

  def first(joined: Array[Long]): Long = {
    if (content.isMaintained && key.read(joined)) {
      var k = 0
      while (k < own.length) {
        tuple(k) = synopses.reference(own(k), joined(own(k)))
        k += 1
      }
      content.updates += 1
      if (content.inserting) content.cache.insert(key.values, tuple, once = content.isGlobal)
      else if (!content.isGlobal) content.cache.delete(key.values, tuple)
    }
    0L
  }

  def next(row: Long, joined: Array[Long]): Long = Probe.NoRow
}
