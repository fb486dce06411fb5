package org.streamon.lab.baselines.selections

import java.util.random.RandomGenerator

import org.streamon.core.selections.{Construct, Regions, RuleSet}

/** The ticket routing of an Eddy (R. Avnur, J. M. Hellerstein: Eddies: continuously adaptive query
  * processing, SIGMOD 2000) over selection modules, one for each attribute. A module is credited a ticket for
  * each row that it receives and debited one for each that it returns, so modules that drop rows hold
  * tickets. The next module of a row is drawn by lottery. What a module holds at the end of a window counts
  * in the next one, and one ticket more, so that none is left out. A module tells of all rules at once, as a
  * construct does.
  *
  * @param window
  *   rows after which the tickets of before no longer count
  */
final class TicketRouting(
    rules: Int,
    constructs: IndexedSeq[Construct[_]],
    window: Int,
    random: RandomGenerator
) {
  private val n = constructs.size
  private val sets = constructs.map(c => Array.tabulate(c.constants.regions)(c(_))).toArray
  private val banked, escrow = new Array[Long](n)
  private val left = new Array[Int](n)
  private val asking = new RuleSet(rules)
  constructs.foreach(c => asking.addAll(c.used))
  private var seen, visits = 0L

  /** Modules that rows have visited. */
  def visited: Long = visits

  /** Whether any rule holds of a row that asks any attribute. */
  def select(row: Regions): Boolean = {
    val alive = asking.copy()
    var size = n
    var a = 0
    while (a < n) {
      left(a) = a
      a += 1
    }
    while (size > 0 && !alive.isEmpty) {
      val place = draw(size)
      val module = left(place)
      left(place) = left(size - 1)
      size -= 1
      visits += 1
      alive.retainAll(sets(module)(row.region(module)))
      // The ticket of a row that comes back is debited again.
      if (alive.isEmpty) escrow(module) += 1
    }
    seen += 1
    if (seen % window == 0) turn()
    !alive.isEmpty
  }

  /** The place of the module that wins, of the first `size`. */
  private def draw(size: Int): Int = {
    var sum = 0L
    var place = 0
    while (place < size) {
      sum += banked(left(place)) + 1
      place += 1
    }
    var ticket = random.nextLong(sum)
    place = 0
    while (ticket > banked(left(place))) {
      ticket -= banked(left(place)) + 1
      place += 1
    }
    place
  }

  private def turn(): Unit = {
    System.arraycopy(escrow, 0, banked, 0, n)
    java.util.Arrays.fill(escrow, 0L)
  }
}
