package org.streamon.core.caching

/** Finds the tuples of a long value: a hash table of their places, with open addressing and linear probing,
  * at most half full.
  *
  * @param rows
  *   the value; tells of each tuple that is added, and of each before it is taken out
  */
private[caching] final class TupleIndex(rows: CacheValue) {

  /** Places of tuples, counted from 1; 0 where nothing is. */
  private var places = new Array[Int](Integer.highestOneBit(rows.size) * 4)
  refill()

  def bytes: Long = TupleIndex.Overhead + 4L * places.length

  /** Where a tuple is; -1 when it is not. */
  def find(tuple: Array[Long], work: CacheWork): Int = {
    var at = SubresultCache.hash(tuple, tuple.length).toInt & places.length - 1
    while (places(at) != 0) {
      work.compared += 1
      if (rows.equal(places(at) - 1, tuple)) return places(at) - 1
      at = at + 1 & places.length - 1
    }
    -1
  }

  /** The last tuple was added. */
  def add(t: Int): Unit =
    if (2 * rows.size > places.length) {
      places = new Array[Int](2 * places.length)
      refill()
    } else put(t)

  /** A tuple is about to be taken out, and the last one to take its place. */
  def remove(t: Int): Unit = {
    val last = rows.size - 1
    free(slotOf(t))
    if (t != last) places(slotOf(last)) = t + 1
  }

  private def refill(): Unit = {
    var t = 0
    while (t < rows.size) {
      put(t)
      t += 1
    }
  }

  private def put(t: Int): Unit = {
    var at = home(t)
    while (places(at) != 0) at = at + 1 & places.length - 1
    places(at) = t + 1
  }

  private def slotOf(t: Int): Int = {
    var at = home(t)
    while (places(at) != t + 1) at = at + 1 & places.length - 1
    at
  }

  /** What lies behind a slot moves up, unless it would be ahead of where its hash says. */
  private def free(slot: Int): Unit = {
    val mask = places.length - 1
    var hole = slot
    var at = hole + 1 & mask
    while (places(at) != 0) {
      if ((at - home(places(at) - 1) & mask) >= (at - hole & mask)) {
        places(hole) = places(at)
        hole = at
      }
      at = at + 1 & mask
    }
    places(hole) = 0
  }

  private def home(t: Int): Int = rows.hash(t) & places.length - 1
}

private object TupleIndex {

  /** Bytes of the object and the array's header. */
  private val Overhead = 40L
}
