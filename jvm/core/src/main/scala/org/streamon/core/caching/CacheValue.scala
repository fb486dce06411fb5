package org.streamon.core.caching

import java.util.Arrays
import org.streamon.core.joins.ReferableSynopses

/** The value of an entry: the tuples of a subresult that have its key, each a reference to a row of every
  * window. Rows are referred to, never copied.
  *
  * @param width
  *   how many windows the subresult joins
  */
private[core] final class CacheValue(width: Int) {
  private var references = new Array[Long](0)
  private var count = 0

  /** Finds tuples of a value that is long; null before it is asked for. */
  private var index: TupleIndex = null

  /** The departures of rows up to which all references are known to hold. */
  private var checked = 0L

  /** Tuples. */
  def size: Int = count

  def bytes: Long =
    CacheValue.Overhead + 8L * references.length + (if (index == null) 0L else index.bytes)

  /** Whether the next tuple takes more memory. */
  def isFull: Boolean = count * width == references.length

  /** The reference of a tuple to the row of a window, both by position. */
  def apply(tuple: Int, k: Int): Long = references(tuple * width + k)

  def add(tuple: Array[Long]): Unit = {
    if (isFull) references = Arrays.copyOf(references, math.max(width, 2 * references.length))
    System.arraycopy(tuple, 0, references, count * width, width)
    count += 1
    if (index != null) index.add(count - 1)
  }

  /** Whether it takes an index, which needs memory, to find tuples without a walk over many. */
  def lacksIndex: Boolean = index == null && count > CacheValue.MostWalked

  def makeIndex(): Unit = index = new TupleIndex(this)

  /** Where a tuple is; -1 when it is not. */
  def indexOf(tuple: Array[Long], work: CacheWork): Int =
    if (index != null) index.find(tuple, work)
    else {
      var t = 0
      while (t < count && !equal(t, tuple)) t += 1
      work.compared += math.min(t + 1, count)
      if (t < count) t else -1
    }

  /** Takes out a tuple; the last one takes its place. */
  def remove(tuple: Int): Unit = {
    if (index != null) index.remove(tuple)
    count -= 1
    System.arraycopy(references, count * width, references, tuple * width, width)
  }

  /** Takes out the tuples of which a row has left.
    *
    * @param windows
    *   of the references
    */
  def purge(windows: Array[Int], synopses: ReferableSynopses): Unit = {
    val departures = CacheValue.departures(windows, synopses)
    if (checked != departures) {
      var t = count - 1
      while (t >= 0) {
        var k = 0
        while (k < width && synopses.holds(windows(k), apply(t, k))) k += 1
        if (k < width) remove(t)
        t -= 1
      }
      checked = departures
    }
  }

  /** Begins anew, with references taken from now on. */
  def clear(windows: Array[Int], synopses: ReferableSynopses): Unit = {
    count = 0
    index = null
    if (references.length > CacheValue.MostKept) references = new Array[Long](0)
    checked = CacheValue.departures(windows, synopses)
  }

  /** A copy that takes no more memory than it needs, without an index. */
  def compact: CacheValue = {
    val copy = new CacheValue(width)
    copy.references = Arrays.copyOf(references, count * width)
    copy.count = count
    copy.checked = checked
    copy
  }

  private[caching] def hash(t: Int): Int = SubresultCache.hash(references, t * width, width).toInt

  private[caching] def equal(t: Int, tuple: Array[Long]): Boolean = {
    var k = 0
    while (k < width && references(t * width + k) == tuple(k)) k += 1
    k == width
  }
}

private[core] object CacheValue {

  /** Bytes of the objects and the array's header. */
  private val Overhead = 56L

  /** Tuples of a value that is walked to find one. */
  val MostWalked = 16

  /** References in an array that is kept for the next value. */
  private val MostKept = 1 << 16

  private def departures(windows: Array[Int], synopses: ReferableSynopses): Long = {
    var sum = 0L
    var k = 0
    while (k < windows.length) {
      sum += synopses.departures(windows(k))
      k += 1
    }
    sum
  }
}
