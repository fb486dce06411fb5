package org.streamon.core.caching

import java.util.Arrays

/** The value of an entry: the tuples of a subresult that have its key, each a reference to a row of every
  * window. Rows are referred to, never copied.
  *
  * @param width
  *   how many windows the subresult joins
  */
private[core] final class CachedRows(width: Int) {
  private var references = new Array[Long](0)
  private var count = 0

  /** Until then, in departures of rows, all references hold. */
  var checked: Long = 0L

  /** Tuples. */
  def size: Int = count

  def bytes: Long = CachedRows.Overhead + 8L * references.length

  /** The reference of a tuple to the row of a window, both by position. */
  def apply(tuple: Int, k: Int): Long = references(tuple * width + k)

  def add(tuple: Array[Long]): Unit = {
    if (count * width == references.length)
      references = Arrays.copyOf(references, math.max(width, 2 * references.length))
    System.arraycopy(tuple, 0, references, count * width, width)
    count += 1
  }

  /** Where a tuple is; -1 when it is not. */
  def indexOf(tuple: Array[Long]): Int = {
    var t = 0
    while (t < count && !equal(t, tuple)) t += 1
    if (t < count) t else -1
  }

  /** Takes out a tuple; the last one takes its place. */
  def remove(tuple: Int): Unit = {
    count -= 1
    System.arraycopy(references, count * width, references, tuple * width, width)
  }

  def clear(): Unit = count = 0

  private def equal(t: Int, tuple: Array[Long]): Boolean = {
    var k = 0
    while (k < width && references(t * width + k) == tuple(k)) k += 1
    k == width
  }
}

private[core] object CachedRows {

  /** Bytes of the objects and the array's header. */
  private val Overhead = 56L
}
