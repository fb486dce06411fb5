package org.streamon.lab

import java.util.SplittableRandom

/** A tuple of stream S0: which filters drop it decides which keys it brings to their indexes. */
final class StreamTuple(val drops: Long, val seed: Int)

object StreamTuple {
  def pool(filters: CorrelatedFilters, size: Int, random: SplittableRandom): Array[StreamTuple] =
    Array.fill(size)(new StreamTuple(filters.draw(random), random.nextInt()))
}
