package org.streamon.core.caching

import org.streamon.core.joins.{Bits, JoinGraph}

/** Benefit and cost of a candidate, in nanoseconds for each element of the join (thesis, Section 5.4.3).
  *
  * @param benefit
  *   what its segment costs without it, less what it costs with it
  * @param cost
  *   of maintaining it; paid once by caches of the same content
  * @param rest
  *   what its segment costs with it
  */
private[core] final case class CacheCosts(benefit: Double, cost: Double, rest: Double) {
  def net: Double = benefit - cost

  /** Whether either differs from what it was by more than a share of it. */
  def differs(before: CacheCosts, share: Double): Boolean =
    math.abs(benefit - before.benefit) > share * math.abs(before.benefit) ||
      math.abs(cost - before.cost) > share * math.abs(before.cost)
}

private[core] object CacheCosts {

  /** @param segment
    *   nanoseconds of the segment's operators where all of them run by themselves
    * @param probes
    *   d_ij, tuples that come to the segment
    * @param out
    *   d_i,k+1, tuples that leave it
    * @param miss
    *   probability
    */
  def processing(segment: Double, probes: Double, out: Double, miss: Double, unit: UnitCosts): Double =
    probes * unit.probe + out * unit.tuple + miss * (segment + out * unit.update)

  /** @param ready
    *   how many operators must have run before the cache can be probed
    * @param rates
    *   by input, its share of the elements
    * @param statistics
    *   by pipeline
    * @param leaving
    *   rows that leave a window for each element of its input
    */
  def of(
      graph: JoinGraph,
      c: Candidate,
      ready: Int,
      rates: Int => Double,
      statistics: Int => PipelineStatistics,
      miss: Double,
      unit: UnitCosts,
      leaving: Double
  ): CacheCosts = {
    val own = statistics(c.pipeline)
    val segment = (c.from to c.to).map(own.nanos).sum
    val out = own.tuples(c.from) * size(graph, c, own)
    // Predicates to what is joined before are not part of a value: they are checked on each of its tuples.
    val checking = acrossBorder(graph, c).map(own.nanosOfOne).sum
    val rest = processing(alone(graph, c, own), own.tuples(ready), out, miss, unit) + out * checking
    val cost = c.maintainers.map { l =>
      val theirs = statistics(l)
      // Look-ups behind it wait for each tuple that comes by, early ones too: they may be repeated, and drop
      // nothing before. At the end of a pipeline there are none.
      val delayed = if (c.maintainedAt == graph.n - 1) 0 until 0 else 0 to c.maintainedAt
      val lateness = math.max(delayed.map(theirs.nanosInTurn).sum - delayed.map(theirs.nanos).sum, 0.0)
      // A tuple that may be there already is looked for, in a value that is short by a walk.
      val walked = math.min(size(graph, c, own), CacheValue.MostWalked.toDouble)
      val update = unit.update + (if (c.isGlobal) unit.tuple * walked else 0.0)
      rates(l) * (theirs.tuplesInTurn(c.maintainedAt) * update + lateness)
    }.sum
    // With each row that leaves, the cache looks for other rows that have its key: about a look-up at the first
    // position. The key has an entry, which the first of its rows has made.
    val invalidation = if (c.supportsItself) rates(c.pipeline) * leaving * own.nanosInTurn(0) else 0.0
    val rate = rates(c.pipeline)
    CacheCosts(rate * (segment - rest), cost + invalidation, rate * rest)
  }

  /** Nanoseconds of the segment when it is run for a value: neither predicates to what is joined before keep
    * tuples from its further operators, nor do early look-ups behind it.
    */
  private def alone(graph: JoinGraph, c: Candidate, own: PipelineStatistics): Double = {
    val outside = acrossBorder(graph, c)
    def unpruned(nanos: Int => Double) = (c.from to c.to).map { p =>
      val joined = c.before | 1L << c.pipeline | Bits.of(c.windows.take(p - c.from))
      nanos(p) / share(outside.filter(k => Bits.includes(joined, graph.residuals(k))), own)
    }.sum
    val (executed, inTurn) = (own.tuples(c.to + 1), own.tuplesInTurn(c.to + 1))
    if (executed > 0.0) unpruned(own.nanos) * math.max(inTurn / executed, 1.0)
    else if (inTurn > 0.0) unpruned(own.nanosInTurn)
    else unpruned(own.nanos)
  }

  /** Of tuples, which predicates let pass; where none did, one in a thousand is taken to. */
  private def share(predicates: Seq[Int], own: PipelineStatistics): Double =
    math.max(predicates.map(own.passing).product, 0.001)

  /** Tuples of a value. */
  def size(graph: JoinGraph, c: Candidate, statistics: PipelineStatistics): Double = {
    val coming = statistics.tuplesInTurn(c.from)
    val passing = acrossBorder(graph, c).map(statistics.passing).product
    if (coming == 0.0 || passing == 0.0) 0.0 else statistics.tuplesInTurn(c.to + 1) / coming / passing
  }

  /** The residual predicates between the subresult and what is joined before it. */
  private def acrossBorder(graph: JoinGraph, c: Candidate): Seq[Int] = graph.residuals.indices.filter { k =>
    val inputs = graph.residuals(k)
    (inputs & c.subresult) != 0L && (inputs & ~c.subresult) != 0L &&
    Bits.includes(c.subresult | c.before | 1L << c.pipeline, inputs)
  }
}
