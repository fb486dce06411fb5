package org.streamon.core.selections

/** For sampled rows, the region of each attribute. All that a sequence is judged by can be computed from it
  * at once, where the paper takes a period of the stream for each step. Not thread-safe.
  *
  * @param rules
  *   number of rules
  * @param regions
  *   by row and attribute
  */
final class SampledRegions(
    val rules: Int,
    val constructs: IndexedSeq[Construct[_]],
    regions: IndexedSeq[Array[Int]]
) {
  private val sets = new KnownSets(constructs)

  def rows: Int = regions.size
  def region(row: Int, attribute: Int): Int = regions(row)(attribute)

  /** The block of regions in which a row's attribute is. */
  def block(row: Int, attribute: Int): Int = constructs(attribute).blockOf(regions(row)(attribute))

  /** The rules that the construct of an attribute leaves alive of a row. Not to be changed. */
  def set(row: Int, attribute: Int): RuleSet = sets(attribute, regions(row)(attribute))

  /** Rules that ask some attribute. The others hold of every row. */
  val deciding: RuleSet = Construct.asking(rules, constructs)
}
