package org.streamon.core.selections

/** Finds the rules that hold of a row, construct by construct, until none is alive. Reused for every row, and
  * allocates nothing. Not thread-safe.
  *
  * @param rules
  *   number of rules; those that ask no attribute hold of every row
  */
final class Selector(rules: Int, constructs: IndexedSeq[Construct[_]], sequence: Sequence) {
  require(
    sequence.macroSequence.size == constructs.size && constructs.forall(_.used.size == rules),
    s"a sequence of ${sequence.macroSequence.size} attributes, and constructs of " +
      constructs
        .map(_.used.size)
        .mkString(", ") + s" rules: expected ${constructs.size} attributes and $rules rules"
  )
  private val n = constructs.size
  private val sets = constructs.map(_.sets).toArray
  private val order = sequence.macroSequence.toArray
  private val arrows = constructs.indices.map { from =>
    val own = sequence.arrows.collect { case ((`from`, region), to) => region -> to }
    if (own.isEmpty) null
    else Array.tabulate(constructs(from).constants.regions)(own.getOrElse(_, Selector.NoArrow))
  }.toArray
  private val asked = new Array[Boolean](n) // the global evaluation bitmap
  private var followed, evaluated = 0L

  private val asking = Construct.asking(rules, constructs)
  private val always = RuleSet.all(rules)
  always.removeAll(asking)
  private val hasAlways = !always.isEmpty

  /** After a row, the rules that hold of it. */
  val live: LiveRules = new LiveRules(asking)

  /** Constructs that were asked: the cost by which the paper compares sequences. */
  def constructsAsked: Long = evaluated

  /** Of the ways from a construct to the next, those by a micro-arrow. */
  def arrowsFollowed: Long = followed

  /** Whether any rule holds of a row; `live` has them then. Constructs are asked as long as a rule that asks
    * any attribute is alive.
    *
    * @param row
    *   asked for the region of each attribute once at most
    */
  def select(row: Regions): Boolean = {
    live.begin()
    java.util.Arrays.fill(asked, false)
    var place = 0
    var left = n
    var next = if (n == 0) Selector.NoArrow else order(0)
    while (left > 0 && !live.isEmpty) {
      val region = row.region(next)
      sets(next).retain(region, live)
      evaluated += 1
      asked(next) = true
      left -= 1
      if (left > 0 && !live.isEmpty) {
        val arrow = if (arrows(next) == null) Selector.NoArrow else arrows(next)(region)
        if (arrow != Selector.NoArrow && !asked(arrow)) {
          followed += 1
          next = arrow
        } else {
          while (asked(order(place))) place += 1
          next = order(place)
        }
      }
    }
    if (hasAlways) live.addAll(always)
    !live.isEmpty
  }
}

private object Selector {
  val NoArrow: Int = -1
}

/** The regions in which a row's attributes are. */
trait Regions {
  def region(attribute: Int): Int
}
