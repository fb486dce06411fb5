package org.streamon.core.selections

import org.streamon.core.util.InParallel

/** The attribute selection construct of one attribute (ASC, Definition 1): one look-up among its constants
  * tells of all rules which can still hold. Immutable.
  *
  * @param used
  *   the rules that ask the attribute: the query-usage bitmap
  */
final class Construct[T] private (
    val constants: Constants[T],
    val used: RuleSet,
    private[selections] val sets: RegionSets
) {

  /** The rules that can hold in a region. */
  def apply(region: Int): RuleSet = sets(region)

  /** The rules that a search leaves alive there: these, and some more where regions share a set. */
  def retained(region: Int): RuleSet = sets.retained(region)

  /** The block of a region, which has one set of [[retained]] rules. */
  private[selections] def blockOf(region: Int): Int = sets.blockOf(region)

  /** Of the sets, and of what they add to the checks. */
  def bytes: Long = sets.bytes
}

object Construct {
  import RegionChecks.MostRegions

  /** The rules that ask any attribute. The others hold of every row.
    *
    * @param size
    *   number of rules
    */
  private[selections] def asking(size: Int, constructs: Seq[Construct[_]]): RuleSet = {
    val found = new RuleSet(size)
    constructs.foreach(c => found.addAll(c.used))
    found
  }

  /** Of one attribute.
    *
    * @param selections
    *   by rule, what it asks of the attribute, for those that ask it
    * @param size
    *   number of rules
    * @param bytes
    *   limit of the sets; where no layout fits, the smallest is taken
    * @param number
    *   of a value, where values are whole numbers, in their order
    */
  def apply[T: Ordering](
      selections: Map[Int, Selection[T]],
      size: Int,
      bytes: Long,
      number: Option[T => Long] = None
  ): Construct[T] = all(IndexedSeq(new AskedRegions(selections, number)), size, bytes).head

  /** Of several attributes, which share the limit.
    *
    * @param asked
    *   by attribute
    */
  def all[T](asked: IndexedSeq[AskedRegions[T]], size: Int, bytes: Long): IndexedSeq[Construct[T]] = {
    require(
      asked.forall(_.rules.forall(rule => 0 <= rule && rule < size)),
      s"rules from 0 to ${size - 1} are allowed"
    )
    require(asked.forall(_.constants.regions <= MostRegions), s"$MostRegions regions are allowed")
    val uses = math.max(1L, asked.map(_.size.toLong).sum)
    val shares = new RuleShares(asked, size)
    InParallel.map(asked) { attribute =>
      val blocks = new RegionBlocks(
        attribute.constants.regions,
        size,
        attribute.ranges,
        shares,
        asked.size
      )
      val used = RuleSet.of(size, attribute.rules.toSeq: _*)
      val share = (bytes - bytesOf(asked.size, size)).toDouble * attribute.size / uses
      new Construct(attribute.constants, used, blocks.within(share.toLong))
    }
  }

  /** What constructs and their checks take in memory. */
  def bytes(constructs: Seq[Construct[_]], size: Int): Long =
    constructs.map(_.bytes).sum + bytesOf(constructs.size, size)

  /** Of that, what does not depend on the layout. */
  private def bytesOf(attributes: Int, size: Int): Long = attributes * (size + 7L) / 8 + 4L * (size + 1)
}
