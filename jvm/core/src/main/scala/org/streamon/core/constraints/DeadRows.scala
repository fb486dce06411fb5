package org.streamon.core.constraints

import java.util.{ArrayList, BitSet, HashSet}

/** Finds the rows that no future result has, by which keys are over.
  *
  * A result that is still to come has a row that is still to come. On the way to that one from any of its
  * other rows, through the keys that they share, the first such row is of an input that goes on where the
  * rows before it are. So a row is dead when all that can be reached from it is over, which is where the
  * thesis lets go of tuples in Yes and of children by CA and OAP (Theorem 6.7.1, here for whole trees and not
  * only below all roots); and when on some way it needs a row that is not there and does not come, or is
  * there and dead itself: the thesis's No.
  *
  * Inputs and key classes must make a tree. What the rows of a key come to for those of an input is worked
  * out once for all of these. All walks together take so many steps at most, more for every row that comes
  * and every key that is over: what is not found to be dead by then stays.
  *
  * @param closed
  *   whether no more rows of an input come for a group, by dimension
  * @param asked
  *   whether a row that may have died is to be looked at
  * @param died
  *   takes those that have
  */
final class DeadRows(
    keys: JoinKeys,
    rows: JoinRows,
    closed: (Int, KeyRows, Int) => Boolean,
    asked: (Int, Int) => Boolean,
    died: (Int, Int) => Unit
) {
  import DeadRows._

  private val n = keys.size
  private val dimensions = keys.dimensionsOf
  private val holders = keys.holders

  /** Groups that the walk at hand has been to. */
  private val seen = new HashSet[KeyRows]
  private val walk = new ArrayList[KeyRows]

  /** By input, the slots of rows that have died so far. */
  private val dead = Array.fill(n)(new BitSet)

  /** By dimension, what was found of the group asked about last. */
  private val settledLast, impossibleLast = Array.fill(keys.dimensions)(new Found)

  /** Rows that may still be walked to. */
  private var steps = FirstSteps

  /** A row has come and is kept. */
  def arrived(input: Int, slot: Int): Unit = {
    steps += StepsEach
    look(input, slot)
    val own = dimensions(input)
    var k = 0
    while (k < own.length) {
      val group = rows.rowsOf(input, own(k), slot)
      if (closed(own(k), group, input)) spread(own(k), group, input)
      k += 1
    }
  }

  /** No more rows of an input come for a group. */
  def over(dimension: Int, group: KeyRows, input: Int): Unit = {
    steps += StepsEach
    settledLast.foreach(_.forget())
    impossibleLast.foreach(_.forget())
    spread(dimension, group, input)
  }

  private def spread(dimension: Int, group: KeyRows, input: Int): Unit = {
    visit(dimension, group, input)
    walk.forEach(seen.remove(_))
    walk.clear()
  }

  /** Looks at the rows of a group but those of one input, of which there is news, and at the rows behind them
    * whose fate they decide. So it goes outwards only, as deep as the tree of the join.
    */
  private def visit(dimension: Int, group: KeyRows, from: Int): Unit = if (seen.add(group)) {
    walk.add(group)
    val own = holders(dimension)
    var k = 0
    while (k < own.length) {
      val input = own(k)
      var slot = if (input == from) -1 else group.heads(input)
      while (slot >= 0 && step()) {
        look(input, slot)
        passOn(input, slot, dimension)
        slot = rows.next(input, dimension, slot)
      }
      k += 1
    }
  }

  private def look(input: Int, slot: Int): Unit =
    if (
      !dead(input).get(slot) && asked(input, slot) &&
      (settled(input, slot, -1) || impossible(input, slot, -1))
    ) {
      dead(input).set(slot)
      died(input, slot)
    }

  /** What lies behind a row, away from a dimension, may be decided by what has happened there. */
  private def passOn(input: Int, slot: Int, via: Int): Unit = {
    val own = dimensions(input)
    var k = 0
    while (k < own.length) {
      if (own(k) != via && (settled(input, slot, own(k)) || impossible(input, slot, own(k))))
        visit(own(k), rows.rowsOf(input, own(k), slot), input)
      k += 1
    }
  }

  /** Whether all that a row reaches, but for one dimension, is over, or is in no result anyway. */
  private def settled(input: Int, slot: Int, except: Int): Boolean = {
    val own = dimensions(input)
    var k = 0
    while (
      k < own.length && (own(k) == except ||
        isSettled(own(k), rows.rowsOf(input, own(k), slot), input))
    ) k += 1
    k == own.length
  }

  private def isSettled(dimension: Int, group: KeyRows, from: Int): Boolean = {
    val last = settledLast(dimension)
    if (!last.isOf(group, from)) last.is(group, from, findSettled(dimension, group, from))
    last.found
  }

  private def findSettled(dimension: Int, group: KeyRows, from: Int): Boolean = {
    val own = holders(dimension)
    var k = 0
    while (k < own.length && (own(k) == from || closed(dimension, group, own(k)))) k += 1
    var all = k == own.length
    k = 0
    while (all && k < own.length) {
      if (own(k) != from) {
        var slot = group.heads(own(k))
        while (slot >= 0 && all) {
          all = step() && (settled(own(k), slot, dimension) || impossible(own(k), slot, dimension))
          slot = rows.next(own(k), dimension, slot)
        }
      }
      k += 1
    }
    all
  }

  /** Whether a row lacks, behind some dimension but one, what it will never have. */
  private def impossible(input: Int, slot: Int, except: Int): Boolean = {
    val own = dimensions(input)
    var k = 0
    while (
      k < own.length && (own(k) == except ||
        !isImpossible(own(k), rows.rowsOf(input, own(k), slot), input))
    ) k += 1
    k < own.length
  }

  private def isImpossible(dimension: Int, group: KeyRows, from: Int): Boolean = {
    val last = impossibleLast(dimension)
    if (!last.isOf(group, from)) last.is(group, from, findImpossible(dimension, group, from))
    last.found
  }

  private def findImpossible(dimension: Int, group: KeyRows, from: Int): Boolean = {
    val own = holders(dimension)
    var k = 0
    while (k < own.length && (own(k) == from || !lacks(dimension, group, own(k)))) k += 1
    k < own.length
  }

  private def lacks(dimension: Int, group: KeyRows, input: Int): Boolean =
    closed(dimension, group, input) && {
      var slot = group.heads(input)
      while (slot >= 0 && step() && impossible(input, slot, dimension))
        slot = rows.next(input, dimension, slot)
      slot < 0
    }

  private def step(): Boolean = steps > 0 && {
    steps -= 1
    true
  }
}

object DeadRows {

  /** Steps for a micro-batch, and more for each row and each key that is over. */
  private val FirstSteps = 1L << 20
  private val StepsEach = 64

  /** What holds of a group for the rows of an input, until rows or constraints change. */
  private final class Found {
    private var group: KeyRows = _
    private var from = -1
    var found = false

    def isOf(group: KeyRows, from: Int): Boolean = (this.group eq group) && this.from == from

    def is(group: KeyRows, from: Int, found: Boolean): Unit = {
      this.group = group
      this.from = from
      this.found = found
    }

    def forget(): Unit = group = null
  }
}
