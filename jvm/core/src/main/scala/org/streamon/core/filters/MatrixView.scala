package org.streamon.core.filters

/** The matrix view over the profile window (thesis, Section 4.3.2, Figures 4.4 and 4.5): entry (r, c), r <=
  * c, counts the window's tuples that no filter at the positions before r drops and the one at position c
  * drops. Positions count from 0. Row r is proportional to the conditional drop rates d(c | r - 1), all that
  * the Greedy Invariant asks of row r.
  */
final class MatrixView(n: Int) {
  private val entries = new Array[Int](n * n)
  private val columns = new Array[Int](n)
  private val byFilter = new Array[Int](n)
  private var scanned = 0L

  def apply(r: Int, c: Int): Int = entries(r * n + c)

  /** Scans of the window so far. */
  def scans: Long = scanned

  /** Adds `delta` wherever a tuple that these filters drop counts: +1 as it enters the window, -1 as it
    * expires.
    *
    * @param positions
    *   the position of each filter in the current order
    */
  def touch(dropped: FilterSet, positions: Array[Int], delta: Int): Unit = {
    val count = dropped.list(columns)
    var first = n
    var i = 0
    while (i < count) {
      val c = positions(columns(i))
      columns(i) = c
      if (c < first) first = c
      i += 1
    }
    if (count > 0) {
      var r = 0
      while (r <= first) {
        var k = 0
        while (k < count) {
          entries(r * n + columns(k)) += delta
          k += 1
        }
        r += 1
      }
    }
  }

  /** Recomputes row r for an order by one scan of the window. */
  def recomputeRow(r: Int, window: ProfileWindow, order: Array[Int]): Unit = {
    scanned += 1
    window.drops.count(Orders.prefix(order, r), byFilter)
    var c = r
    while (c < n) {
      entries(r * n + c) = byFilter(order(c))
      c += 1
    }
  }

  /** Recomputes all rows. */
  def rebuild(window: ProfileWindow, order: Array[Int]): Unit = {
    var r = 0
    while (r < n) {
      recomputeRow(r, window, order)
      r += 1
    }
  }

  /** The first position behind `after` where the row's entry times the weight, times `share`, exceeds what it
    * is at the row's own position; n when there is none.
    */
  private[filters] def firstAbove(r: Int, weights: Array[Double], share: Double, after: Int): Int = {
    val row = r * n
    val own = entries(row + r) * weights(r)
    var c = after + 1
    while (c < n && !(own < share * (entries(row + c) * weights(c)))) c += 1
    c
  }

  /** Follows a filter that moves forward from position `from` to `to`, the others shifting back, in rows 0 to
    * `to`: the rows whose set of earlier filters stays.
    */
  private[filters] def shift(from: Int, to: Int): Unit = {
    var r = 0
    while (r <= to) {
      Orders.shift(entries, from, to, r * n)
      r += 1
    }
  }

  /** Follows the exchange of two positions in rows 0 to `to`. */
  private[filters] def exchange(from: Int, to: Int): Unit = {
    var r = 0
    while (r <= to) {
      Orders.exchange(entries, from, to, r * n)
      r += 1
    }
  }
}
