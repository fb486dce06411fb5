package org.streamon.core.selections

/** For each region of an attribute, the rules that can still hold there: the query-result bitmaps of an ASC.
  *
  * One bitmap for each region would take 9 GB at 100,000 rules of ten attributes, and a row would read most
  * of its bitmaps from main memory. So neighbouring regions form blocks, and a block has one bitmap: the
  * union of its regions. A rule that holds in some regions of a block only is partial. Few partial rules are
  * still alive when all attributes have been asked, and these are compared with their ranges of regions
  * ([[RegionChecks]]). With blocks of equal regions no rule is partial. Immutable.
  *
  * @param size
  *   number of rules
  * @param block
  *   by region, its block
  * @param unions
  *   by block, the words of its bitmap: an array for each, which the JVM can process by vectors
  * @param partial
  *   the partial rules, in ascending order, each as often as it has ranges
  * @param ranges
  *   by place in `partial`, a range in which the rule holds ([[RegionChecks.range]])
  */
private[selections] final class RegionSets(
    size: Int,
    block: BlockOfRegion,
    unions: Array[Array[Long]],
    val partial: Array[Int],
    val ranges: Array[Long]
) {

  /** By which regions are alike: those of a block have one set. */
  def blockOf(region: Int): Int = block(region)

  def blocks: Int = unions.length

  /** Leaves alive, of the rules that are, those that can hold in the block of a region. */
  def retain(region: Int, live: LiveRules): Unit = live.retainAll(unions(block(region)))

  /** The rules that [[retain]] leaves alive: those that can hold in the region, and some partial ones. */
  def retained(region: Int): RuleSet = {
    val set = new RuleSet(size)
    val union = unions(block(region))
    System.arraycopy(union, 0, set.words, 0, union.length)
    set
  }

  /** The rules that can hold in a region. */
  def apply(region: Int): RuleSet = {
    val set = retained(region)
    partial.foreach(set.remove)
    for (k <- partial.indices if RegionChecks.contains(ranges(k), region)) set.add(partial(k))
    set
  }

  /** What they take in memory, and the checks that are made of them. */
  def bytes: Long =
    RegionSets.bytesOfUnions(unions.length, size) + block.bytes + RegionSets.RangeBytes * ranges.length
}

private[selections] object RegionSets {

  /** What a range of a partial rule takes here, and in the checks. */
  val RangeBytes: Long = 8 + 4 + 8

  /** What the bitmaps of blocks take: of each the words, the head of an array, and a reference. */
  def bytesOfUnions(blocks: Int, size: Int): Long = blocks * (8L * ((size + 63) >>> 6) + 16 + 4)
}
