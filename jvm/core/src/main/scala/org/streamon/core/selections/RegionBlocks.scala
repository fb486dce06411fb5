package org.streamon.core.selections

import scala.collection.mutable

/** Lays out the sets of an attribute's regions in blocks, from where each rule begins and ceases to hold. The
  * width of the blocks is chosen as if all regions were equally frequent and attributes were independent.
  *
  * @param regions
  *   of the attribute; the last is that of the nulls, which is a block of its own
  * @param size
  *   number of rules
  * @param ranges
  *   by rule, where it can hold; rules that are not in it hold everywhere
  * @param shares
  *   how often all attributes leave rules alive
  * @param attributes
  *   how many there are, whose sets share the caches of the processor
  */
private[selections] final class RegionBlocks(
    regions: Int,
    size: Int,
    ranges: Map[Int, Ranges],
    shares: RuleShares,
    attributes: Int
) {
  import RegionBlocks._

  private val asking = ranges.keysIterator.toArray.sorted
  private val words = (size + 63) >>> 6

  // By rule: its ranges, and the regions in them.
  private val rangesOf, regionsOf = new Array[Int](size)
  for (rule <- asking) {
    rangesOf(rule) = ranges(rule).of.size
    regionsOf(rule) = ranges(rule).regions
  }

  /** Where the turns of each region begin in `turns`. A rule turns where it begins or ceases to hold. */
  private val turnsFrom = new Array[Int](regions + 1)

  /** Rules, region by region. */
  private val turns = {
    eachTurn((_, region) => turnsFrom(region + 1) += 1)
    for (region <- 0 until regions) turnsFrom(region + 1) += turnsFrom(region)
    val next = turnsFrom.clone()
    val found = new Array[Int](turnsFrom(regions))
    eachTurn { (rule, region) =>
      found(next(region)) = rule
      next(region) += 1
    }
    found
  }

  private def eachTurn(f: (Int, Int) => Unit): Unit =
    for (rule <- asking; (from, to) <- ranges(rule).of) {
      f(rule, from)
      if (to + 1 < regions) f(rule, to + 1)
    }

  /** The sets in those blocks that fit into the limit and are the fastest, and where none fit in those that
    * take the least.
    *
    * @param limit
    *   in bytes
    */
  def within(limit: Long): RegionSets = {
    val layouts = (0 +: Seq.iterate(8L, 40)(2 * _).takeWhile(_ < 2L * turns.length).map(_.toInt)).map {
      most =>
        layout(starts(most))
    }
    sets(layouts.filter(_.bytes <= limit).minByOption(_.nanos).getOrElse(layouts.minBy(_.bytes)).starts)
  }

  /** Where blocks begin that have so many turns inside at most, and the end. */
  private def starts(most: Int): Array[Int] = {
    val found = mutable.ArrayBuilder.make[Int]
    var first = 0
    while (first < regions) {
      found += first
      val base = turnsFrom(first + 1)
      var end = first + 1
      while (end < regions - 1 && turnsFrom(end + 1) - base <= most) end += 1
      first = end
    }
    found += regions
    found.result()
  }

  /** What sets in these blocks take, and about how long it takes to retain a region, each as often as any
    * other, and to check the rules that its block leaves alive.
    */
  private def layout(starts: Array[Int]): Layout = {
    val blocks = starts.length - 1
    // By rule, what it takes to check it on a row of the block; 0 where it is not partial.
    val nanosOf = new Array[Double](size)
    var partial = 0L // ranges
    var checks = 0.0
    var b = 0
    while (b < blocks) {
      val width = starts(b + 1) - starts(b)
      var k = turnsFrom(starts(b) + 1)
      while (k < turnsFrom(starts(b + 1))) {
        val rule = turns(k)
        if (nanosOf(rule) == 0.0) {
          nanosOf(rule) = checkNanos(rule, 1.0 / blocks)
          partial += rangesOf(rule)
          checks += regionsOf(rule) * nanosOf(rule)
        }
        checks += width * nanosOf(rule) / 2
        k += 1
      }
      b += 1
    }
    val bitmaps = RegionSets.bytesOfUnions(blocks, size)
    val eightWords =
      NearNanos * math.pow(math.max(1.0, (attributes * bitmaps).toDouble / NearBytes), FarPower)
    Layout(
      starts,
      bitmaps + BlockOfRegion.bytes(regions, blocks) + RegionSets.RangeBytes * partial,
      (words + 7) / 8 * eightWords + checks / regions
    )
  }

  /** What it takes to check a rule on the rows that its sets in other attributes leave alive, which are in
    * blocks about as wide.
    */
  private def checkNanos(rule: Int, width: Double): Double = {
    val own = math.min(1.0, regionsOf(rule).toDouble / regions + width)
    shares.alive(rule, width) / own * (1 + rangesOf(rule)) * CheckNanos
  }

  private def sets(starts: Array[Int]): RegionSets = {
    val blocks = starts.length - 1
    val block = new Array[Int](regions)
    val unions = new Array[Array[Long]](blocks)
    // The rules that hold where the walk over the regions is.
    val now = RuleSet.all(size)
    asking.foreach(now.remove)
    for (b <- 0 until blocks) {
      val (first, end) = (starts(b), starts(b + 1))
      turn(now, first)
      unions(b) = now.words.clone()
      block(first) = b
      for (region <- first + 1 until end) {
        block(region) = b
        turn(now, region)
        // A rule that begins to hold here is in the union.
        for (k <- turnsFrom(region) until turnsFrom(region + 1) if now.contains(turns(k)))
          unions(b)(turns(k) >>> 6) |= 1L << turns(k)
      }
    }
    val turning = new RuleSet(size)
    for (b <- 0 until blocks; k <- turnsFrom(starts(b) + 1) until turnsFrom(starts(b + 1)))
      turning.add(turns(k))
    val partial = for (rule <- asking if turning.contains(rule); range <- ranges(rule).of) yield rule -> range
    new RegionSets(
      size,
      new BlockOfRegion(block),
      unions,
      partial.map(_._1),
      partial.map { case (_, (from, to)) => RegionChecks.range(from, to) }
    )
  }

  private def turn(set: RuleSet, region: Int): Unit =
    for (k <- turnsFrom(region) until turnsFrom(region + 1)) set.words(turns(k) >>> 6) ^= 1L << turns(k)
}

private object RegionBlocks {
  private final case class Layout(starts: Array[Int], bytes: Long, nanos: Double)

  /** Bytes of the bitmaps of all attributes up to which they stay near the processor, what it takes then to
    * retain eight words, and by which power of the bytes it takes longer beyond; and what a check takes, and
    * again for each range. Measured on one machine; only the choice of blocks depends on them.
    */
  private val NearBytes = 384L << 10
  private val NearNanos = 2.0
  private val FarPower = 0.4
  private val CheckNanos = 6.0
}
