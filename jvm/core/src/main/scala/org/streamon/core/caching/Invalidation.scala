package org.streamon.core.caching

import org.streamon.core.joins.{JoinGraph, Probe, ReferableSynopses}

/** Keeps a globally-consistent cache right whose own pipeline's window is among the partners: while that
  * window has no row with a key, nobody adds what a new row with it would support, so the entry goes with the
  * last such row (digest of Section 5.7, rule 2).
  */
private[core] final class Invalidation(
    content: SharedCache,
    input: Int,
    graph: JoinGraph,
    synopses: ReferableSynopses
) {
  private val itself = Array.fill(graph.classes.size)(input)
  private val key = new CacheKey(content.classes, itself, synopses)
  private val others = synopses.probe(input, content.classes, itself)

  /** To be told of a row when it has left its window. */
  def left(joined: Array[Long]): Unit = {
    val known = key.read(joined)
    // The window is asked only for the keys that are there.
    if ((!known || content.cache.get(key.values) != null) && others.first(joined) == Probe.NoRow)
      if (known) content.cache.drop(key.values) else content.cache.dropAll()
  }
}
