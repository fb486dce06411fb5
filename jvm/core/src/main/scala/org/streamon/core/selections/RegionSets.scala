package org.streamon.core.selections

/** For each region of an attribute, the rules that can still hold there: the query-result bitmaps of an ASC.
  *
  * One bitmap for each region would take 9 GB at 100,000 rules of ten attributes. Neighbouring regions differ
  * by few rules. So regions form blocks. A block has one bitmap, the union of its regions, and a list of the
  * rules that do not hold in all of them. Each region says which of the list to take out. With blocks of
  * equal regions the lists are empty. Immutable.
  *
  * @param block
  *   by region, its block
  * @param unions
  *   by block, the words of its bitmap
  * @param partial
  *   by block, the rules that hold in some of its regions only
  * @param removed
  *   by region, the words of a bitmap over the list of its block
  * @param offsets
  *   by region, where its words begin
  */
private[selections] final class RegionSets private (
    block: Array[Int],
    unions: Array[Array[Long]],
    partial: Array[Array[Int]],
    removed: Array[Long],
    offsets: Array[Int]
) {

  /** Leaves alive, of the rules that are, those that can hold in a region. */
  def retain(region: Int, live: LiveRules): Unit = {
    val of = block(region)
    live.retainAll(unions(of), partial(of), removed, offsets(region))
  }

  /** The rules that can hold in a region. */
  def apply(region: Int): RuleSet = {
    val of = block(region)
    val set = new RuleSet(unions(of).length << 6)
    System.arraycopy(unions(of), 0, set.words, 0, set.words.length)
    for ((rule, k) <- partial(of).zipWithIndex if (removed(offsets(region) + (k >>> 6)) >>> k & 1L) != 0L)
      set.remove(rule)
    set
  }

  /** About what they take in memory. */
  def bytes: Long = 8L * (unions.length.toLong * unions.head.length + removed.length) +
    4L * (block.length + offsets.length + partial.map(_.length.toLong).sum)
}

private[selections] object RegionSets {

  /** Takes the smallest blocks that fit into the limit, and where none do those that take the least.
    *
    * @param regions
    *   of the attribute; the last is that of the nulls, which is a block of its own
    * @param size
    *   number of rules
    * @param ranges
    *   by rule, where it can hold; rules that are not in it hold everywhere
    * @param bytes
    *   the limit
    */
  def apply(regions: Int, size: Int, ranges: Map[Int, Ranges], bytes: Long): RegionSets = {
    val turns = new Turns(regions, ranges)
    val layouts =
      (0 +: Seq.iterate(1L, 40)(2 * _).takeWhile(_ < 2L * turns.count).map(_.toInt)).view.map(turns.blocks)
    turns.sets(
      layouts.find(turns.bytes(_, size) <= bytes).getOrElse(layouts.minBy(turns.bytes(_, size))),
      size
    )
  }

  /** Which rules begin and cease to hold, from region to region. */
  private final class Turns(regions: Int, ranges: Map[Int, Ranges]) {
    private val rules = {
      val at = Array.fill(regions)(Vector.newBuilder[Int])
      for ((rule, held) <- ranges.toSeq.sortBy(_._1); (from, to) <- held.of) {
        at(from) += rule
        if (to + 1 < regions) at(to + 1) += rule
      }
      at.map(_.result())
    }

    val count: Int = rules.map(_.size).sum

    /** The regions from one end to another, in blocks with so many turns inside at most. */
    def blocks(most: Int): Vector[Range] = {
      val found = Vector.newBuilder[Range]
      var first = 0
      while (first < regions) {
        var end = first + 1
        var inside = 0
        while (end < regions - 1 && inside + rules(end).size <= most) {
          inside += rules(end).size
          end += 1
        }
        found += first until end
        first = end
      }
      found.result()
    }

    /** At most what sets in these blocks take. */
    def bytes(blocks: Vector[Range], size: Int): Long = blocks.map { block =>
      val turning = block.tail.map(rules(_).size).sum.toLong
      8L * (words(size) + block.size * words(turning)) + 4L * (2 * block.size + turning)
    }.sum

    def sets(blocks: Vector[Range], size: Int): RegionSets = {
      val block = new Array[Int](regions)
      val offsets = new Array[Int](regions)
      val removed = Array.newBuilder[Long]
      val now = RuleSet.all(size)
      ranges.keys.foreach(now.remove)
      var offset = 0
      val (unions, partial) = blocks.zipWithIndex.map { case (of, number) =>
        rules(of.head).foreach(turn(now, _))
        val turning = of.tail.flatMap(rules(_)).distinct.toArray
        val union = now.copy()
        // Each of these holds in some region of the block.
        turning.foreach(union.add)
        for (region <- of) {
          if (region > of.head) rules(region).foreach(turn(now, _))
          block(region) = number
          offsets(region) = offset
          val out = new Array[Long](words(turning.length).toInt)
          for ((rule, k) <- turning.zipWithIndex if !now.contains(rule)) out(k >>> 6) |= 1L << k
          removed ++= out
          offset += out.length
        }
        (union.words, turning)
      }.unzip
      new RegionSets(block, unions.toArray, partial.toArray, removed.result(), offsets)
    }

    private def words(bits: Long): Long = (bits + 63) >>> 6

    private def turn(set: RuleSet, rule: Int): Unit =
      if (set.contains(rule)) set.remove(rule) else set.add(rule)
  }
}
