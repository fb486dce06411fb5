package org.streamon.core.selections

/** The ranges of regions in which rules hold, for the attributes whose sets leave some more rules alive
  * ([[RegionSets]]). Immutable.
  *
  * @param starts
  *   by rule, where its ranges begin in `ranges`; one more for the end
  * @param ranges
  *   those of a rule follow each other by attributes. Each has a bit that is 1 in the last range of its
  *   attribute, seven bits for the attribute, and the range
  */
final class RegionChecks private (starts: Array[Int], ranges: Array[Long]) {
  import RegionChecks._

  /** Whether no set leaves more rules alive than hold. */
  val isEmpty: Boolean = ranges.isEmpty

  /** Whether a rule that is alive after all attributes holds: 0 if it does, else 1. There is no branch on
    * what the row is like, since nothing could foretell it.
    *
    * @param regions
    *   by attribute; [[Selector.Unknown]] where the row may be in any
    */
  def fails(rule: Int, regions: Array[Int]): Int = {
    val end = starts(rule + 1)
    var at = starts(rule)
    // Negative as long as the row is in no range of the attribute, and when it is in none of some attribute.
    var outside = -1
    var fails = 0
    while (at < end) {
      val range = ranges(at)
      val region = regions((range >>> (2 * Bits)).toInt & AttributeMask)
      val beyond = (region - (range >>> Bits & Mask).toInt) | ((range & Mask).toInt - region)
      val isKnown = ~(region >> 31)
      outside &= beyond & isKnown
      val isLast = (range >> 63).toInt
      fails |= outside & isLast
      outside |= isLast
      at += 1
    }
    fails >>> 31
  }
}

object RegionChecks {

  /** For when it does not matter which of the rules that are alive hold. */
  def none(size: Int): RegionChecks = of(size, IndexedSeq.empty)

  private val Bits = 28
  private val Mask = (1L << Bits) - 1

  /** Of an attribute. */
  private[selections] val MostRegions: Int = 1 << Bits
  private val MostAttributes = 1 << 7
  private val AttributeMask = MostAttributes - 1

  /** @param size
    *   number of rules
    */
  def of(size: Int, constructs: IndexedSeq[Construct[_]]): RegionChecks = {
    require(constructs.size <= MostAttributes, s"$MostAttributes attributes are allowed")
    val starts = new Array[Int](size + 1)
    for (construct <- constructs; rule <- construct.sets.partial) starts(rule + 1) += 1
    for (rule <- 0 until size) starts(rule + 1) += starts(rule)
    val next = starts.clone()
    val ranges = new Array[Long](starts(size))
    for ((construct, attribute) <- constructs.zipWithIndex) {
      val partial = construct.sets.partial
      for (k <- partial.indices) {
        val isLast = k + 1 == partial.length || partial(k + 1) != partial(k)
        val bits = (if (isLast) AttributeMask + 1L else 0L) | attribute
        ranges(next(partial(k))) = bits << (2 * Bits) | construct.sets.ranges(k)
        next(partial(k)) += 1
      }
    }
    new RegionChecks(starts, ranges)
  }

  /** A range of regions in the lowest 56 bits. */
  private[selections] def range(from: Int, to: Int): Long = from.toLong << Bits | to

  private[selections] def contains(range: Long, region: Int): Boolean =
    (range >>> Bits & Mask) <= region && region <= (range & Mask)
}
