package org.streamon.lab.baselines.constraints

/** How many values are in each of some equal ranges, to know a bound below all of them (thesis, Section
  * 6.8.2). Ranges are kept in a circle from the least that has any; where that would be too many, two become
  * one.
  *
  * @param most
  *   ranges; a power of two
  */
private[constraints] final class UnknownHistogram(most: Int = 1024) {
  private var counts = new Array[Int](16)
  private var width = 0
  private var first = 0L
  private var length = 0
  private var total = 0L

  def bytes: Long = 4L * counts.length

  /** No value is less; Long.MaxValue when there is none. */
  def low: Long = if (total == 0) Long.MaxValue else first << width

  def add(value: Long): Unit = {
    if (total == 0) {
      width = 0
      first = value
      length = 1
    }
    fit(value)
    counts(at(value >> width)) += 1
    total += 1
  }

  /** A value that was added. */
  def remove(value: Long): Unit = {
    counts(at(value >> width)) -= 1
    total -= 1
    if (total > 0)
      while (counts(at(first)) == 0) {
        first += 1
        length -= 1
      }
  }

  private def at(range: Long): Int = (range & counts.length - 1).toInt

  /** Makes room for a value. */
  private def fit(value: Long): Unit = {
    while (span(value) > most) halve()
    val (from, to) = ends(value)
    if (to - from + 1 > counts.length) {
      val (old, size) = (counts, Integer.highestOneBit((to - from).toInt) << 1)
      counts = new Array[Int](size)
      foreachRange(r => counts(at(r)) = old((r & old.length - 1).toInt))
    }
    first = from
    length = (to - from + 1).toInt
  }

  private def ends(value: Long) =
    (math.min(first, value >> width), math.max(first + length - 1, value >> width))

  /** Ranges with it; Long.MaxValue where the difference is too great for a number. */
  private def span(value: Long): Long = {
    val (from, to) = ends(value)
    if (to - from < 0 || to - from == Long.MaxValue) Long.MaxValue else to - from + 1
  }

  /** The last may be the greatest long. */
  private def foreachRange(each: Long => Unit): Unit = for (k <- 0 until length) each(first + k)

  private def halve(): Unit = {
    val sums = new Array[Int](counts.length)
    foreachRange(r => sums((r >> 1 & counts.length - 1).toInt) += counts(at(r)))
    val last = first + length - 1 >> 1
    counts = sums
    width += 1
    first >>= 1
    length = (last - first + 1).toInt
  }
}
