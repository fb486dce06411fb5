package org.streamon.core.caching

import org.streamon.core.joins.{Probe, Stage, ReferableSynopses}

/** A CacheLookup that looks nothing up, for a cache that is not used: it shows a [[MissEstimator]] the keys
  * that the cache would be probed with (thesis, Section 5.4.2).
  */
private[core] final class ProbeWatch(
    candidate: Candidate,
    estimator: MissEstimator,
    val place: Int,
    synopses: ReferableSynopses
) extends Stage
    with Probe {
  private var key: CacheKey = null

  def windows: IndexedSeq[Int] = Vector()
  override def classes: Long = candidate.classes

  def probe(classes: Long, from: Array[Int], before: IndexedSeq[Int]): Probe = {
    key = new CacheKey(classes, from, synopses)
    this
  }

  def first(joined: Array[Long]): Long = {
    if (estimator.isOpen && key.read(joined)) estimator.observe(key.values, key.values.length)
    0L
  }

  def next(row: Long, joined: Array[Long]): Long = Probe.NoRow
}
