package org.streamon.core.joins

/** Small sets of numbers below 64 as the bits of a Long. */
object Bits {

  def of(members: Iterable[Int]): Long = members.foldLeft(0L)((set, k) => set | 1L << k)

  def where(n: Int)(member: Int => Boolean): Long = of((0 until n).filter(member))

  def contains(set: Long, k: Int): Boolean = (set >>> k & 1L) != 0L

  def includes(set: Long, subset: Long): Boolean = (subset & ~set) == 0L

  def size(set: Long): Int = java.lang.Long.bitCount(set)

  /** In ascending order. */
  def members(set: Long): IndexedSeq[Int] = (0 until 64).filter(contains(set, _))

  /** Whether sets hold together all members of another: from any to any other leads a chain of sets that
    * overlap.
    */
  def connect(sets: Seq[Long], members: Long): Boolean = {
    def grow(reached: Long): Long = {
      val grown = sets.filter(s => (s & reached) != 0L).foldLeft(reached)(_ | _)
      if (grown == reached) reached else grow(grown)
    }
    members != 0L && includes(grow(java.lang.Long.lowestOneBit(members)), members)
  }
}
