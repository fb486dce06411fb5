package org.streamon.lab

import java.util.function.Predicate

/** What all filters of one run have done. */
final class Work {
  var probes: Long = 0L

  /** Takes results that nobody needs, so that they are computed. */
  var sink: Long = 0L
}

/** The filter "S0 in (select * from Si [Rows 10,000])": one hash probe, and cost - 1 more at random. */
final class HashProbe(q: Int, cost: Int, index: HashIndex, work: Work) extends Predicate[StreamTuple] {

  def test(tuple: StreamTuple): Boolean = {
    work.probes += cost
    var choice = HashIndex.scatter(tuple.seed + q)
    val inWindow = index.key(choice)
    val passes = index.contains(if ((tuple.drops >>> q & 1L) == 0L) inWindow else inWindow | 1)
    var found = 0
    var k = 1
    while (k < cost) {
      choice = choice * 1664525 + 1013904223
      if (index.contains(index.key(choice))) found += 1
      k += 1
    }
    work.sink += found
    passes
  }
}
