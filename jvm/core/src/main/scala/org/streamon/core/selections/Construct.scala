package org.streamon.core.selections

/** The attribute selection construct of one attribute (ASC, Definition 1): one search in its sorted constants
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

  def bytes: Long = sets.bytes + 8L * used.words.length
}

object Construct {

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

  /** @param selections
    *   by rule, what it asks of the attribute, for those that ask it
    * @param size
    *   number of rules
    * @param bytes
    *   limit of the sets; where no layout fits, the smallest is taken
    */
  def apply[T: Ordering](selections: Map[Int, Selection[T]], size: Int, bytes: Long): Construct[T] = {
    require(
      selections.keys.forall(rule => 0 <= rule && rule < size),
      s"rules from 0 to ${size - 1} are allowed"
    )
    val constants = Constants.of(selections.values)
    // Equal selections are of the same regions.
    val ranges = selections.values.toSet.map((s: Selection[T]) => s -> constants.ranges(s)).toMap
    val sets =
      new RegionBlocks(constants.regions, size, selections.transform((_, s) => ranges(s))).within(bytes)
    new Construct(constants, RuleSet.of(size, selections.keys.toSeq: _*), sets)
  }
}
