package org.streamon.core.caching

import org.streamon.core.joins.{Probe, Stage, ReferableSynopses}

/** A CacheUpdate in the pipeline of one of the subresult's windows (thesis, Section 5.4.1): every tuple that
  * passes is an insertion into the subresult, or a deletion. The first is kept even where only a tuple of
  * another window, which it has as partner, is new; then it may be known already.
  *
  * Globally-consistent caches take no deletions: a row may keep its place when a partner has left (digest of
  * Section 5.7, rule 1). That rows have left is seen when they are read.
  */
private[core] final class CacheUpdate(content: SharedCache, val place: Int, synopses: ReferableSynopses)
    extends Stage
    with Probe {
  private val own = content.windows
  private val tuple = new SubresultTuple(own, synopses)
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
      content.updates += 1
      val rows = content.cache.get(key.values)
      if (rows != null) {
        tuple.read(joined)
        if (content.inserting) insert(rows)
        else if (!content.isGlobal) content.cache.remove(key.values, tuple.references)
      }
    }
    0L
  }

  private def insert(rows: CacheValue): Unit = {
    if (rows.isFull || content.isGlobal && rows.size >= content.largest) rows.purge(own, synopses)
    if (!content.isGlobal) content.cache.add(key.values, tuple.references)
    else if (rows.size >= content.largest) content.cache.drop(key.values)
    else content.cache.addNew(key.values, tuple.references)
  }

  def next(row: Long, joined: Array[Long]): Long = Probe.NoRow
}
