package org.streamon.core.caching

import org.streamon.core.joins._

/** CacheLookup and, for a miss, the CacheUpdate behind the segment (thesis, Section 5.4.1): in a pipeline it
  * stands for the operators of its segment. On a hit it goes on with the tuples found. On a miss the segment
  * is run to its end, so that its value is known to be complete, and kept; one that is too large is not, and
  * is collected in part only: the rest comes from the segment as it is asked for.
  *
  * Predicates between the segment and what is joined before it, other than equalities, are not part of the
  * value; the pipeline checks them behind it.
  *
  * @param place
  *   where it keeps the number of the tuple at hand, among what is joined
  */
private[core] final class CacheLookup(
    candidate: Candidate,
    content: SharedCache,
    val place: Int,
    graph: JoinGraph,
    arrival: PartialMatch,
    synopses: ReferableSynopses
) extends Stage
    with CompositeProbe {
  private val own = content.windows
  private val inside =
    graph.residuals.indices.filter(k => Bits.includes(candidate.subresult, graph.residuals(k)))
  private val tuple = new SubresultTuple(own, synopses)
  private val scratch = new CacheValue(own.length)
  private var rows = scratch
  private var key: CacheKey = null
  private var segment: NestedLoop = null

  /** Whether all tuples are collected; where not, how many the segment has passed so far, and the last. */
  private var whole = true
  private var passed = 0
  private val latest = new Array[Long](own.length)

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
      whole = true
      rows.purge(own, synopses)
      content.work.read += rows.size
    }
    next(-1L, joined)
  }

  def next(row: Long, joined: Array[Long]): Long = {
    val t = row.toInt + 1
    if (t < rows.size) {
      bind(t, joined)
      t
    } else if (whole || !beyond(t, joined)) Probe.NoRow
    else t
  }

  def bind(row: Long, joined: Array[Long]): Unit =
    if (row < rows.size) {
      var k = 0
      while (k < own.length) {
        joined(own(k)) = rows(row.toInt, k)
        k += 1
      }
    } else seek(row.toInt, joined)

  private def fill(joined: Array[Long], known: Boolean): Unit = {
    rows = scratch
    rows.clear(own, synopses)
    var found = segment.first()
    while (found && rows.size < content.largest) {
      tuple.read(joined)
      rows.add(tuple.references)
      if (rows.size < content.largest) found = segment.next()
    }
    whole = !found
    passed = rows.size
    if (!whole) {
      content.refuse()
      remember(joined)
    } else if (known && content.mayCreate(candidate)) {
      content.cache.create(key.values, rows)
      content.work.created += rows.size
    }
  }

  /** Joins with a tuple behind those that are collected. */
  private def beyond(t: Int, joined: Array[Long]): Boolean = {
    seek(t - 1, joined)
    val found = segment.next()
    passed = if (found) t + 1 else 0
    if (found) remember(joined)
    found
  }

  /** Has the segment stand at a tuple. They are asked for once for each combination of what is joined in
    * between, and then it begins anew.
    */
  private def seek(t: Int, joined: Array[Long]): Unit =
    if (passed == t + 1) {
      var k = 0
      while (k < own.length) {
        joined(own(k)) = latest(k)
        k += 1
      }
    } else {
      segment.first()
      passed = 1
      while (passed <= t) {
        segment.next()
        passed += 1
      }
      remember(joined)
    }

  private def remember(joined: Array[Long]): Unit = {
    var k = 0
    while (k < own.length) {
      latest(k) = joined(own(k))
      k += 1
    }
  }
}
