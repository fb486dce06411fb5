package org.streamon.core.selections

import scala.collection.mutable

/** The search for micro-arrows in monitoring periods, as the paper has it (Section 4.3). In each period every
  * partial sequence goes on by one construct, region by region, with counters for the constructs that some
  * rule asks which can hold there. Regions of a block, which have one set, are as one. [[HybridSequence]] has
  * all rows at once, and finds the same where all periods have the same rows. Rows that come to a region
  * which had none in its period are not followed. Not thread-safe.
  *
  * @param period
  *   rows of a period: tau
  */
private[selections] final class PeriodHybrid(
    rules: Int,
    constructs: IndexedSeq[Construct[_]],
    macroSequence: IndexedSeq[Int],
    period: Int
) {
  private val sets = new KnownSets(constructs)
  private val deciding = Construct.asking(rules, constructs)

  /** A partial sequence: constructs that have been asked, `at` the last. */
  private final class Way(val asked: Set[Int], val at: Int) {
    val left: IndexedSeq[Int] = macroSequence.filterNot(asked)
    val forks = mutable.HashMap.empty[Int, Fork]
    val isCovered: Boolean = {
      val covered = new RuleSet(rules)
      asked.foreach(a => covered.addAll(constructs(a).used))
      covered.containsAll(deciding)
    }
  }

  /** Where the ways from the block of a region part. */
  private final class Fork(way: Way, region: Int) {

    /** Without another one than the next of the macro-sequence there is nothing to measure. */
    val candidates: IndexedSeq[Int] = {
      val canHold = sets(way.at, region)
      val own = way.left.filter(a => canHold.intersects(constructs(a).used))
      if (own.exists(_ != way.left.head)) (own :+ way.left.head).distinct else Vector.empty
    }
    val measured = new Array[Long](candidates.size)
    var rows = 0L
    var onward: Way = null

    def measure(row: Regions, alive: RuleSet): Unit = {
      rows += 1
      evaluated += candidates.size
      for (k <- candidates.indices) {
        val set = sets(candidates(k), row.region(candidates(k)))
        if (!way.isCovered) measured(k) += alive.common(set)
        else if (!alive.intersects(set)) measured(k) -= 1
      }
    }

    /** The construct that is better than the next of the macro-sequence, if any. */
    def arrow: Option[Int] = {
      val follows = way.left.head
      candidates.indices
        .filter(k => sets(way.at, region).intersects(constructs(candidates(k)).used))
        .map(k => (measured(k), candidates(k)))
        .minOption
        .collect { case (least, a) if a != follows && least < measured(candidates.indexOf(follows)) => a }
    }
  }

  private val root = macroSequence.headOption.map(a => new Way(Set(a), a))
  private var frontier = root.toSet.filter(_.left.nonEmpty)

  /** Ways of the frontier in the order in which rows have come to them in this period. */
  private val visited = mutable.LinkedHashSet.empty[Way]

  /** By attribute and block of regions, the rows that decided, and the arrow if there is one. */
  private val decided = mutable.HashMap.empty[(Int, Int), (Long, Option[Int])]
  private var rows = 0
  private var evaluated = 0L

  /** Constructs that rows were asked for the search. */
  def asked: Long = evaluated

  def isDone: Boolean = frontier.isEmpty

  def sequence: Sequence =
    Sequence(macroSequence, decided.collect { case (from, (_, Some(to))) => from -> to }.toMap)

  def observe(row: Regions): Unit = {
    val alive = deciding.copy()
    var way = root.orNull
    while (way != null) {
      val region = row.region(way.at)
      val block = constructs(way.at).blockOf(region)
      alive.retainAll(sets(way.at, region))
      evaluated += 1
      way =
        if (alive.isEmpty) null
        else if (frontier(way)) {
          visited += way
          way.forks.getOrElseUpdate(block, new Fork(way, region)).measure(row, alive)
          null
        } else way.forks.get(block).map(_.onward).orNull
    }
    rows += 1
    if (rows == period) choose()
  }

  private def choose(): Unit = {
    val next = mutable.HashMap.empty[(Set[Int], Int), Way]
    for (way <- visited.toVector.sortBy(_.at); (block, fork) <- way.forks.toVector.sortBy(_._1)) {
      val arrow = fork.arrow
      if (decided.get(way.at -> block).forall(_._1 < fork.rows))
        decided(way.at -> block) = (fork.rows, arrow)
      val to = arrow.getOrElse(way.left.head)
      // Ways that are alike from here on become one.
      fork.onward = next.getOrElseUpdate((way.asked, to), new Way(way.asked + to, to))
    }
    frontier = next.values.filter(_.left.nonEmpty).toSet
    visited.clear()
    rows = 0
  }
}
