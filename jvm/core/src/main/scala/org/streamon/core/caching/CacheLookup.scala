package org.streamon.core.caching

import org.streamon.core.joins._

/** CacheLookup and, for a miss, the CacheUpdate behind the segment (thesis, Section 5.4.1): in a pipeline it
  * stands for the operators of its segment. On a hit it goes on with the tuples found. On a miss the segment
  * is run to its end, so that its value is known to be complete, and kept.
  *
  * Predicates between the segment and what is joined before it, other than equalities, are not part of the
  * value; the pipeline checks them behind it.
  *
  * @param place
  *   where it keeps the number of the tuple at hand, among what is joined
  */
private[core] final class CacheLookup(
    candidate: Candidate,
    content: CachedContent,
    val place: Int,
    graph: JoinGraph,
    arrival: Arrival,
    synopses: ReferableSynopses
) extends Stage
    with CompositeProbe {
  private val own = content.windows
  private val inside =
    graph.residuals.indices.filter(k => Bits.includes(candidate.subresult, graph.residuals(k)))
  private val tuple = new CachedTuple(own, synopses)
  private val scratch = new CachedRows(own.length)
  private var rows = scratch
  private var key: CacheKey = null
  private var segment: NestedLoop = null

  def windows: IndexedSeq[Int] = candidate.windows

  def probe(classes: Long, from: Array[Int], before: IndexedSeq[Int]): Probe = {
    key = new CacheKey(classes, from, synopses)
    val operators = candidate.windows.map(new WindowStage(_, synopses))
    segment = new NestedLoop(new Pipeline(graph, before, operators, inside), arrival.behind, synopses)
    this
  }

  def first(joined: Array[Long]): Long = {
    val known = key.read(joined)
    rows = if (known) content.cache.probe(key.values) else null
    if (rows == null) fill(joined, known)
    else {
      rows.purge(own, synopses)
      content.work.read += rows.size
    }
    next(-1L, joined)
  }

  def next(row: Long, joined: Array[Long]): Long = {
    val t = row + 1
    if (t == rows.size) Probe.NoRow
    else {
      bind(t, joined)
      t
    }
  }

  def bind(row: Long, joined: Array[Long]): Unit = {
    var k = 0
    while (k < own.length) {
      joined(own(k)) = rows(row.toInt, k)
      k += 1
    }
  }

  private def fill(joined: Array[Long], known: Boolean): Unit = {
    rows = scratch
    rows.clear(own, synopses)
    var found = segment.first()
    while (found) {
      tuple.read(joined)
      rows.add(tuple.references)
      found = segment.next()
    }
    if (known && content.mayCreate(candidate)) {
      content.cache.create(key.values, rows)
      content.work.created += rows.size
    }
  }
}
