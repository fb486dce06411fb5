package org.streamon.lab

import java.util.SplittableRandom
import java.util.function.Predicate

import org.streamon.core.joins.Mixer

/** A tuple of stream S0: which filters drop it decides which keys it brings to their indexes. */
final class StreamTuple(val drops: Long, val seed: Int)

object StreamTuple {
  def pool(filters: CorrelatedFilters, size: Int, random: SplittableRandom): Array[StreamTuple] =
    Array.fill(size)(new StreamTuple(filters.draw(random), random.nextInt()))
}

/** A hash index on a window of 10,000 tuples: even keys, by open addressing. */
final class HashIndex(random: SplittableRandom) {
  private val mask = (1 << 15) - 1
  private val slots = Array.fill(mask + 1)(-1)
  private val keys = Array.fill(HashIndex.Entries)(insert(random))

  /** The key of some tuple in the window. */
  def key(choice: Int): Int = keys((choice >>> 1) % HashIndex.Entries)

  def contains(key: Int): Boolean = {
    var slot = HashIndex.scatter(key) & mask
    while (slots(slot) != -1 && slots(slot) != key) slot = slot + 1 & mask
    slots(slot) == key
  }

  private def insert(random: SplittableRandom): Int = {
    val key = random.nextInt(1 << 30) << 1
    var slot = HashIndex.scatter(key) & mask
    while (slots(slot) != -1) slot = slot + 1 & mask
    slots(slot) = key
    key
  }
}

object HashIndex {
  val Entries = 10000

  def scatter(key: Int): Int = Mixer.mix64(key).toInt
}

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
