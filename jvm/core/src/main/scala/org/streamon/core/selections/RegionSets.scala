package org.streamon.core.selections

/** For each region of an attribute, the rules that can still hold there: the query-result bitmaps of an ASC.
  *
  * One bitmap for each region would take 9 GB at 100,000 rules of ten attributes, and a row would read most
  * of its bitmaps from main memory. Neighbouring regions differ by few rules. So regions form blocks. A block
  * has one bitmap, the union of its regions, and a list of the rules that do not hold in all of them. Each
  * region says which of the list to take out. With blocks of equal regions the lists are empty. Immutable.
  *
  * @param size
  *   number of rules
  * @param block
  *   by region, its block
  * @param unions
  *   by block, the words of its bitmap
  * @param partial
  *   the rules that hold in some regions of a block only, block by block
  * @param partialFrom
  *   by block, where its rules begin in `partial`; one more for the end
  * @param removed
  *   by region, the words of a bitmap over the list of its block
  * @param offsets
  *   by region, where its words begin
  */
private[selections] final class RegionSets(
    size: Int,
    block: Array[Int],
    unions: Array[Long],
    partial: Array[Int],
    partialFrom: Array[Int],
    removed: Array[Long],
    offsets: Array[Int]
) {
  private val words = (size + 63) >>> 6

  /** Leaves alive, of the rules that are, those that can hold in a region. */
  def retain(region: Int, live: LiveRules): Unit = {
    val of = block(region)
    if (partial.length > 0) {
      val first = partialFrom(of)
      val end = partialFrom(of + 1)
      if (first < end) live.remove(partial, first, end, removed, offsets(region))
    }
    live.retainAll(unions, of * words)
  }

  /** The rules that can hold in a region. */
  def apply(region: Int): RuleSet = {
    val of = block(region)
    val set = new RuleSet(size)
    System.arraycopy(unions, of * words, set.words, 0, words)
    val first = partialFrom(of)
    for (k <- 0 until partialFrom(of + 1) - first)
      if ((removed(offsets(region) + (k >>> 6)) >>> k & 1L) != 0L) set.remove(partial(first + k))
    set
  }

  /** About what they take in memory. */
  def bytes: Long = 8L * (unions.length + removed.length) +
    4L * (block.length + partial.length + partialFrom.length + offsets.length)
}
