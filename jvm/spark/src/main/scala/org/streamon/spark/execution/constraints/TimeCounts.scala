package org.streamon.spark.execution.constraints

import java.util.TreeMap

/** The approximate number of rows up to a time. It counts rows in a few ranges of time, which get wider as
  * more are needed.
  */
final class TimeCounts {
  import TimeCounts._

  private var ranges = new TreeMap[Long, Long]

  /** The width of a range is two to the power of it. */
  private var power = LeastPower

  /** The range at hand, and what it has that `ranges` lacks. */
  private var range, count = 0L

  /** There is one more row. */
  def add(time: Long): Unit = {
    turnTo(time >> power)
    count += 1
  }

  /** There is one less. */
  def remove(time: Long): Unit = {
    turnTo(time >> power)
    count -= 1
  }

  /** Rows in the ranges that end by a time. */
  def upTo(time: Long): Long = {
    settle()
    var sum = 0L
    ranges.headMap((time + 1) >> power).values.forEach(n => sum += n)
    sum
  }

  def memoryBytes: Long = ranges.size * RangeBytes

  private def turnTo(next: Long): Unit = if (next != range) {
    settle()
    range = next
    while (ranges.size > Most) widen()
  }

  private def settle(): Unit = if (count != 0L) {
    if (ranges.merge(range, count, _ + _) == 0L) ranges.remove(range)
    count = 0L
  }

  private def widen(): Unit = {
    val wider = new TreeMap[Long, Long]
    ranges.forEach((from, rows) => { wider.merge(from >> 1, rows, _ + _); () })
    ranges = wider
    range >>= 1
    power += 1
  }
}

private[constraints] object TimeCounts {

  /** Ranges. */
  val Most = 256

  /** About a second, where times are microseconds. */
  val LeastPower = 20

  /** Bytes of a range, about. */
  private val RangeBytes = 96L
}
