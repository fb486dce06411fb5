package org.streamon.core.selections

/** Finds the rules that hold of a row, construct by construct, until none is alive. Reused for every row, and
  * allocates nothing. Not thread-safe.
  *
  * @param rules
  *   number of rules; those that ask no attribute hold of every row
  * @param checks
  *   of the constructs
  */
final class Selector(
    rules: Int,
    constructs: IndexedSeq[Construct[_]],
    sequence: Sequence,
    checks: RegionChecks
) {
  def this(rules: Int, constructs: IndexedSeq[Construct[_]], sequence: Sequence) =
    this(rules, constructs, sequence, RegionChecks.of(rules, constructs))

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
  private val hasArrows = sequence.arrows.nonEmpty
  private val arrows = constructs.indices.map { from =>
    val own = sequence.arrows.collect { case ((`from`, block), to) => block -> to }
    if (own.isEmpty) null
    else Array.tabulate(constructs(from).sets.blocks)(own.getOrElse(_, Selector.NoArrow))
  }.toArray
  private val asked = new Array[Boolean](n) // the global evaluation bitmap, kept where there are arrows
  private val regions = new Array[Int](n)
  private val isExact = checks.isEmpty
  private val evaluations, drops = new Array[Long](n)
  private var followed, without = 0L

  private val asking = Construct.asking(rules, constructs)
  private val always = RuleSet.all(rules)
  always.removeAll(asking)
  private val hasAlways = !always.isEmpty

  /** After a row, the rules that hold of it. */
  val live: LiveRules = new LiveRules(asking)

  /** Constructs that were asked: the cost by which the paper compares sequences. */
  def constructsAsked: Long = {
    // Without the boxes of `sum`: it is asked again and again.
    var all = 0L
    var k = 0
    while (k < n) {
      all += evaluations(k)
      k += 1
    }
    all
  }

  /** Rows for which the construct of an attribute was asked. */
  def askedOf(attribute: Int): Long = evaluations(attribute)

  /** Rows of which no rule was alive any more when the construct of an attribute had been asked; for the last
    * one asked also those whose last rules fail their checks.
    */
  def droppedBy(attribute: Int): Long = drops(attribute)

  /** Rows for which no rule holds that asks any attribute. */
  def dropped: Long = without

  /** Of the ways from a construct to the next, those by a micro-arrow. */
  def arrowsFollowed: Long = followed

  private var place, left, at, last = 0

  /** Whether any rule holds of a row; `live` has them then. Constructs are asked as long as a rule that asks
    * any attribute is alive.
    *
    * @param row
    *   asked for the region of each attribute once at most
    */
  def select(row: Regions): Boolean = {
    var attribute = begin()
    while (attribute != Selector.Done) attribute = ask(row.region(attribute))
    end()
  }

  /** Begins a row: the first attribute to ask, or [[Selector.Done]]. */
  def begin(): Int = {
    live.begin()
    if (hasArrows) java.util.Arrays.fill(asked, false)
    place = 0
    left = n
    at = if (left == 0 || live.isEmpty) Selector.Done else order(0)
    at
  }

  /** Goes on with the region of the attribute that was to be asked, or [[Selector.Unknown]]: the next one, or
    * [[Selector.Done]].
    */
  def ask(region: Int): Int = {
    val from = at
    if (region != Selector.Unknown) sets(from).retain(region, live)
    evaluations(from) += 1
    regions(from) = region
    last = from
    left -= 1
    if (live.isEmpty) drops(from) += 1
    at = if (left == 0 || live.isEmpty) Selector.Done else if (hasArrows) next(region) else inSequence()
    at
  }

  private def inSequence(): Int = {
    place += 1
    order(place)
  }

  /** The attribute to which the arrow of a region leads, if it has not been asked. Else the next of the
    * sequence.
    */
  private def next(region: Int): Int = {
    asked(at) = true
    val arrow =
      if (arrows(at) == null || region == Selector.Unknown) Selector.NoArrow
      else arrows(at)(sets(at).blockOf(region))
    if (arrow != Selector.NoArrow && !asked(arrow)) {
      followed += 1
      arrow
    } else {
      while (asked(order(place))) place += 1
      order(place)
    }
  }

  /** Ends a row: whether any rule holds of it. */
  def end(): Boolean = {
    if (!isExact && !live.isEmpty) check()
    if (live.isEmpty) without += 1
    if (hasAlways) live.addAll(always)
    !live.isEmpty
  }

  private def check(): Unit = {
    live.check(checks, regions)
    if (live.isEmpty) drops(last) += 1
  }
}

object Selector {

  /** In the place of an attribute: there is nothing more to ask. */
  val Done: Int = -1

  /** In the place of a region: the row may be in any. */
  val Unknown: Int = -1

  private val NoArrow = -1
}

/** The regions in which a row's attributes are. */
trait Regions {
  def region(attribute: Int): Int
}
