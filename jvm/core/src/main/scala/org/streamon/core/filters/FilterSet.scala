package org.streamon.core.filters

/** A set of filters, which are the numbers from 0 to n - 1: a bit each, in as many words as it takes.
  * Mutable, so that what runs for each tuple uses one set again and again and allocates nothing. Up to 64
  * filters, as nearly all sets have, are one word, and every operation is then one turn of its loop.
  *
  * Operations on two sets are for sets over the same filters. Not thread-safe.
  *
  * @param n
  *   how many filters there are to be members
  */
final class FilterSet(n: Int) {
  private[filters] val words = new Array[Long](FilterSet.words(n))

  def contains(q: Int): Boolean = (words(q >>> 6) >>> q & 1L) != 0L

  def add(q: Int): Unit = words(q >>> 6) |= 1L << q

  /** Takes in all members of another. */
  def addAll(other: FilterSet): Unit = {
    var w = 0
    while (w < words.length) {
      words(w) |= other.words(w)
      w += 1
    }
  }

  def clear(): Unit = {
    var w = 0
    while (w < words.length) {
      words(w) = 0L
      w += 1
    }
  }

  /** Becomes equal to another. */
  def set(other: FilterSet): Unit = FilterSet.copy(other.words, 0, words, 0, words.length)

  def isEmpty: Boolean = next(0) < 0

  /** Whether the two have a member in common. */
  def intersects(other: FilterSet): Boolean = FilterSet.intersect(words, 0, other.words)

  def isSubsetOf(other: FilterSet): Boolean = {
    var w = 0
    while (w < words.length && (words(w) & ~other.words(w)) == 0L) w += 1
    w == words.length
  }

  /** The smallest member from `from` on; -1 when there is none. So one goes through a set:
    * {{{
    * var q = set.next(0)
    * while (q >= 0) { ...; q = set.next(q + 1) }
    * }}}
    */
  def next(from: Int): Int = FilterSet.next(words, 0, words.length, from)

  /** Writes the members into an array, ascending; how many there are. Quicker than `next`, for what is done
    * with every sampled tuple.
    */
  private[filters] def list(into: Array[Int]): Int = FilterSet.list(words, 0, words.length, into)

  def copy(): FilterSet = {
    val other = new FilterSet(n)
    other.set(this)
    other
  }

  /** The members, ascending. For inspection: it allocates. */
  def members: IndexedSeq[Int] = (0 until n).filter(contains)

  override def toString: String = members.mkString("{", ",", "}")
}

object FilterSet {

  def of(n: Int, members: Int*): FilterSet = {
    val set = new FilterSet(n)
    members.foreach(set.add)
    set
  }

  /** Words that a set of n filters takes. */
  private[filters] def words(n: Int): Int = n + 63 >>> 6

  /** Word by word: for one or two, `System.arraycopy` takes longer. */
  private[filters] def copy(from: Array[Long], begin: Int, into: Array[Long], at: Int, count: Int): Unit = {
    var w = 0
    while (w < count) {
      into(at + w) = from(begin + w)
      w += 1
    }
  }

  /** Whether the set that begins at a word and the one in `others` have a member in common. */
  private[filters] def intersect(words: Array[Long], begin: Int, others: Array[Long]): Boolean = {
    var w = 0
    while (w < others.length && (words(begin + w) & others(w)) == 0L) w += 1
    w < others.length
  }

  /** `list` of the set that begins at a word and has so many. */
  private[filters] def list(words: Array[Long], begin: Int, count: Int, into: Array[Int]): Int = {
    var members = 0
    var w = 0
    while (w < count) {
      var rest = words(begin + w)
      while (rest != 0L) {
        into(members) = (w << 6) + java.lang.Long.numberOfTrailingZeros(rest)
        members += 1
        rest &= rest - 1L
      }
      w += 1
    }
    members
  }

  /** `next` in the set that begins at a word and has so many. */
  private[filters] def next(words: Array[Long], begin: Int, count: Int, from: Int): Int = {
    var w = from >>> 6
    if (w >= count) -1
    else {
      var rest = words(begin + w) & -1L << from
      while (rest == 0L && w + 1 < count) {
        w += 1
        rest = words(begin + w)
      }
      if (rest == 0L) -1 else (w << 6) + java.lang.Long.numberOfTrailingZeros(rest)
    }
  }
}
