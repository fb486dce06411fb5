package org.streamon.core.selections

/** Regions of an attribute in ranges that neither overlap nor touch, in ascending order. Immutable. */
private[selections] final case class Ranges(of: Vector[(Int, Int)]) {

  def union(other: Ranges): Ranges = Ranges.of(of ++ other.of)

  def intersect(other: Ranges): Ranges = Ranges.of(
    for ((a, b) <- of; (c, d) <- other.of if math.max(a, c) <= math.min(b, d))
      yield (math.max(a, c), math.min(b, d))
  )

  /** How many. */
  def regions: Int = of.map { case (from, to) => to - from + 1 }.sum

  def contains(region: Int): Boolean = of.exists { case (from, to) => from <= region && region <= to }
}

private[selections] object Ranges {
  val none: Ranges = Ranges(Vector.empty)

  /** From one region to another, both included; none when the second is before the first. */
  def apply(from: Int, to: Int): Ranges = if (to < from) none else Ranges(Vector((from, to)))

  /** In any sequence, and with overlaps. */
  def of(ranges: Seq[(Int, Int)]): Ranges = Ranges(
    ranges.sorted.foldLeft(Vector.empty[(Int, Int)]) {
      case (before :+ ((a, b)), (c, d)) if c <= b + 1 => before :+ ((a, math.max(b, d)))
      case (before, range)                            => before :+ range
    }
  )
}
