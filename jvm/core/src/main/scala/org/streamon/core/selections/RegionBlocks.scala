package org.streamon.core.selections

import scala.collection.mutable

/** Lays out the sets of an attribute's regions in blocks, from where each rule begins and ceases to hold.
  *
  * @param regions
  *   of the attribute; the last is that of the nulls, which is a block of its own
  * @param size
  *   number of rules
  * @param ranges
  *   by rule, where it can hold; rules that are not in it hold everywhere
  */
private[selections] final class RegionBlocks(regions: Int, size: Int, ranges: Map[Int, Ranges]) {
  import RegionBlocks._

  private val asking = ranges.keysIterator.toArray.sorted
  private val words = wordsOf(size.toLong)

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
        val found = starts(most)
        Layout(found, bytes(found), nanos(found))
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

  /** At most what sets in these blocks take. */
  private def bytes(starts: Array[Int]): Long = {
    val blocks = starts.length - 1
    var sum = 8L * blocks * words + 4L * (2L * regions + blocks + 1)
    for (b <- 0 until blocks) {
      val turning = inside(starts, b).toLong
      sum += 8L * (starts(b + 1) - starts(b)) * wordsOf(turning) + 4L * turning
    }
    sum
  }

  /** About what it takes to retain a region, each as often as any other. */
  private def nanos(starts: Array[Int]): Double = {
    val blocks = starts.length - 1
    val bitmaps = 8L * blocks * words
    val line = if (bitmaps <= NearBytes) NearNanos else if (bitmaps <= CachedBytes) CachedNanos else FarNanos
    val removed =
      (0 until blocks).map(b => (starts(b + 1) - starts(b)) * inside(starts, b) / 2.0).sum / regions
    (words + 7) / 8 * line + removed * RemovedNanos
  }

  /** Turns behind the first region of a block. */
  private def inside(starts: Array[Int], b: Int): Int = turnsFrom(starts(b + 1)) - turnsFrom(starts(b) + 1)

  private def sets(starts: Array[Int]): RegionSets = {
    val blocks = starts.length - 1
    val block = new Array[Int](regions)
    val offsets = new Array[Int](regions)
    val unions = new Array[Long](blocks * words)
    val partialFrom = new Array[Int](blocks + 1)
    val partial = mutable.ArrayBuilder.make[Int]
    val removed = mutable.ArrayBuilder.make[Long]
    // The rules that hold where the walk over the regions is.
    val now = RuleSet.all(size)
    asking.foreach(now.remove)
    val listed = new RuleSet(size)
    for (b <- 0 until blocks) {
      val (first, end) = (starts(b), starts(b + 1))
      turn(now, first)
      System.arraycopy(now.words, 0, unions, b * words, words)
      val turning = distinct(turnsFrom(first + 1), turnsFrom(end), listed)
      // Each of these holds in some region of the block.
      for (rule <- turning) unions(b * words + (rule >>> 6)) |= 1L << rule
      val out = new Array[Long](wordsOf(turning.length.toLong))
      for (region <- first until end) {
        if (region > first) turn(now, region)
        block(region) = b
        offsets(region) = removed.length
        java.util.Arrays.fill(out, 0L)
        for (k <- turning.indices) if (!now.contains(turning(k))) out(k >>> 6) |= 1L << k
        removed ++= out
      }
      partial ++= turning
      partialFrom(b + 1) = partial.length
    }
    new RegionSets(size, block, unions, partial.result(), partialFrom, removed.result(), offsets)
  }

  /** The rules of some turns, each once.
    *
    * @param listed
    *   empty, and left empty
    */
  private def distinct(from: Int, until: Int, listed: RuleSet): Array[Int] = {
    val found = mutable.ArrayBuilder.make[Int]
    for (k <- from until until if !listed.contains(turns(k))) {
      listed.add(turns(k))
      found += turns(k)
    }
    val rules = found.result()
    rules.foreach(listed.remove)
    rules
  }

  private def turn(set: RuleSet, region: Int): Unit =
    for (k <- turnsFrom(region) until turnsFrom(region + 1)) set.words(turns(k) >>> 6) ^= 1L << turns(k)
}

private object RegionBlocks {
  private final case class Layout(starts: Array[Int], bytes: Long, nanos: Double)

  /** Bytes of the bitmaps of an attribute up to which those of several attributes stay near the processor,
    * and up to which they stay in its last cache; what it takes then to retain eight words; and what it takes
    * to remove a rule. Measured on one machine; only the choice of blocks depends on them.
    */
  private val NearBytes = 256L << 10
  private val CachedBytes = 2L << 20
  private val NearNanos = 4.0
  private val CachedNanos = 8.0
  private val FarNanos = 20.0
  private val RemovedNanos = 3.0

  private def wordsOf(bits: Long): Int = ((bits + 63) >>> 6).toInt
}
