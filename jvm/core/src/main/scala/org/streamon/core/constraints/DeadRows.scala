package org.streamon.core.constraints

import java.util.BitSet

/** Finds the rows that no future result has, by which keys are over.
  *
  * A result that is still to come has a row that is still to come. On the way to that one from any of its
  * other rows, through the keys that they share, the first such row is of an input that goes on where the
  * rows before it are. So a row is dead when all that can be reached from it is over, which is where the
  * thesis lets go of tuples in Yes and of children by CA and OAP (Theorem 6.7.1, here for whole trees and not
  * only below all roots); and when on some way it needs a row that is not there and does not come, or is
  * there and dead itself: the thesis's No.
  *
  * Inputs and key classes must make a tree. A walk begins with some room, so many rows that it may come to.
  * At a key the rows there share it equally, each for what lies behind. A key with more rows than there is
  * room for is not walked through, and rows that need it stay. So what is found depends on which rows there
  * are: not on their order, nor on other walks. What is found of a key serves all walks that come to it.
  *
  * @param closed
  *   whether no more rows of an input come for a group, by dimension; always the same
  * @param asked
  *   whether a row that may have died is to be looked at
  * @param died
  *   takes those that have
  * @param room
  *   of each walk: the logarithm, to the base of two, of a number of rows
  */
final class DeadRows(
    keys: JoinKeys,
    rows: JoinRows,
    closed: (Int, KeyRows, Int) => Boolean,
    asked: (Int, Int) => Boolean,
    died: (Int, Int) => Unit,
    room: Int = DeadRows.Room
) {
  import DeadRows._

  private val n = keys.size
  private val dimensions = keys.dimensionsOf
  private val holders = keys.holders

  /** By input, the slots of rows that have died so far. */
  private val dead = Array.fill(n)(new BitSet)

  /** Of keys where rows lead on to other keys. */
  private val settledKeys, impossibleKeys, visitedKeys = new RoomMemo(n)

  /** By dimension, what was found of the group asked about last. */
  private val settledLast, impossibleLast = Array.fill(keys.dimensions)(new Found)

  /** A row has come and is kept. */
  def arrived(input: Int, slot: Int): Unit = {
    look(input, slot)
    val own = dimensions(input)
    var k = 0
    while (k < own.length) {
      val group = rows.rowsOf(input, own(k), slot)
      if (closed(own(k), group, input)) over(own(k), group, input)
      k += 1
    }
  }

  /** No more rows of an input come for a group. */
  def over(dimension: Int, group: KeyRows, input: Int): Unit = visit(dimension, group, input, room)

  /** Looks at the rows of a group but those of one input, of which there is news, and at the rows behind them
    * whose fate they decide. So it goes outwards only, as deep as the tree of the join.
    */
  private def visit(dimension: Int, group: KeyRows, from: Int, room: Int): Unit =
    if (visitedKeys(group, from, room) == RoomMemo.Unknown) {
      visitedKeys.learn(group, from, room, found = false)
      val left = room - widthOf(dimension, group, from, room, all = true)
      val own = holders(dimension)
      var k = 0
      while (left >= 0 && k < own.length) {
        val input = own(k)
        var slot = if (input == from) -1 else group.heads(input)
        while (slot >= 0) {
          look(input, slot)
          passOn(input, slot, dimension, left)
          slot = rows.next(input, dimension, slot)
        }
        k += 1
      }
    }

  private def look(input: Int, slot: Int): Unit =
    if (
      !dead(input).get(slot) && asked(input, slot) &&
      (settled(input, slot, -1, room) || impossible(input, slot, -1, room))
    ) {
      dead(input).set(slot)
      died(input, slot)
    }

  /** What lies behind a row, away from a dimension, may be decided by what has happened there: where others
    * of its input may still come it is not.
    */
  private def passOn(input: Int, slot: Int, via: Int, left: Int): Unit = {
    val own = dimensions(input)
    var k = 0
    while (k < own.length) {
      val group = rows.rowsOf(input, own(k), slot)
      if (
        own(k) != via && closed(own(k), group, input) &&
        (settled(input, slot, own(k), room) || impossible(input, slot, own(k), room))
      ) visit(own(k), group, input, left)
      k += 1
    }
  }

  /** Whether all that a row reaches, but for one dimension, is over, or is in no result anyway. */
  private def settled(input: Int, slot: Int, except: Int, room: Int): Boolean = {
    val own = dimensions(input)
    var k = 0
    while (
      k < own.length && (own(k) == except ||
        isSettled(own(k), rows.rowsOf(input, own(k), slot), input, room))
    ) k += 1
    k == own.length
  }

  private def isSettled(dimension: Int, group: KeyRows, from: Int, room: Int): Boolean = {
    val last = settledLast(dimension)
    if (!last.isOf(group, from, room))
      last.is(
        group,
        from,
        room,
        allClosed(dimension, group, from) && isSettledBehind(dimension, group, from, room)
      )
    last.found
  }

  private def allClosed(dimension: Int, group: KeyRows, from: Int): Boolean = {
    val own = holders(dimension)
    var k = 0
    while (k < own.length && (own(k) == from || closed(dimension, group, own(k)))) k += 1
    k == own.length
  }

  private def isSettledBehind(dimension: Int, group: KeyRows, from: Int, room: Int): Boolean =
    !leadsOn(dimension, group, from) || {
      val known = settledKeys(group, from, room)
      if (known != RoomMemo.Unknown) known == RoomMemo.Yes
      else settledKeys.learn(group, from, room, findSettled(dimension, group, from, room))
    }

  private def findSettled(dimension: Int, group: KeyRows, from: Int, room: Int): Boolean = {
    val own = holders(dimension)
    val left = room - widthOf(dimension, group, from, room, all = false)
    var all = left >= 0
    var k = 0
    while (all && k < own.length) {
      val input = own(k)
      var slot = if (input == from || isLeaf(input)) -1 else group.heads(input)
      while (slot >= 0 && all) {
        all = settled(input, slot, dimension, left) || impossible(input, slot, dimension, left)
        slot = rows.next(input, dimension, slot)
      }
      k += 1
    }
    all
  }

  /** Whether a row lacks, behind some dimension but one, what it will never have. */
  private def impossible(input: Int, slot: Int, except: Int, room: Int): Boolean = {
    val own = dimensions(input)
    var k = 0
    while (
      k < own.length && (own(k) == except ||
        !isImpossible(own(k), rows.rowsOf(input, own(k), slot), input, room))
    ) k += 1
    k < own.length
  }

  private def isImpossible(dimension: Int, group: KeyRows, from: Int, room: Int): Boolean = {
    val last = impossibleLast(dimension)
    if (!last.isOf(group, from, room))
      last.is(group, from, room, findImpossible(dimension, group, from, room))
    last.found
  }

  private def findImpossible(dimension: Int, group: KeyRows, from: Int, room: Int): Boolean = {
    val own = holders(dimension)
    var k = 0
    while (k < own.length && (own(k) == from || !lacks(dimension, group, own(k), room))) k += 1
    k < own.length
  }

  private def lacks(dimension: Int, group: KeyRows, input: Int, room: Int): Boolean =
    closed(dimension, group, input) && (group.heads(input) < 0 || !isLeaf(input) && {
      val known = impossibleKeys(group, input, room)
      if (known != RoomMemo.Unknown) known == RoomMemo.Yes
      else impossibleKeys.learn(group, input, room, allImpossible(dimension, group, input, room))
    })

  private def allImpossible(dimension: Int, group: KeyRows, input: Int, room: Int): Boolean = {
    val left = room - logarithm(countOf(dimension, group, input, 0, limit(room)))
    var slot = group.heads(input)
    while (slot >= 0 && left >= 0 && impossible(input, slot, dimension, left))
      slot = rows.next(input, dimension, slot)
    slot < 0
  }

  /** Whether nothing lies behind the rows of an input. */
  private def isLeaf(input: Int): Boolean = dimensions(input).length == 1

  /** Whether a group has rows, not of one input, that something lies behind. */
  private def leadsOn(dimension: Int, group: KeyRows, from: Int): Boolean = {
    val own = holders(dimension)
    var k = 0
    while (k < own.length && (own(k) == from || isLeaf(own(k)) || group.heads(own(k)) < 0)) k += 1
    k < own.length
  }

  /** What the rows of a group take of the room that each has.
    *
    * @param all
    *   whether those are among them that nothing lies behind
    */
  private def widthOf(dimension: Int, group: KeyRows, from: Int, room: Int, all: Boolean): Int = {
    val own = holders(dimension)
    var (k, count) = (0, 0)
    while (k < own.length) {
      if (own(k) != from && (all || !isLeaf(own(k))))
        count = countOf(dimension, group, own(k), count, limit(room))
      k += 1
    }
    logarithm(count)
  }

  /** Counts the rows of an input on, as far as it matters. */
  private def countOf(dimension: Int, group: KeyRows, input: Int, before: Int, limit: Int): Int = {
    var count = before
    var slot = group.heads(input)
    while (slot >= 0 && count <= limit) {
      count += 1
      slot = rows.next(input, dimension, slot)
    }
    count
  }

  private def limit(room: Int) = 1 << room
}

object DeadRows {

  /** Room for a key of a million rows; or for one of 1,000, and 1,000 more behind each. */
  val Room = 20

  /** Where nothing depends on it. Dead rows stay then, and are walked through again. */
  val ObservedRoom = 16

  /** The logarithm of a number of rows, rounded up. */
  private def logarithm(rows: Int): Int = if (rows <= 1) 0 else 32 - Integer.numberOfLeadingZeros(rows - 1)

  /** What holds of a group for the rows of an input. */
  private final class Found {
    private var group: KeyRows = _
    private var from, room = -1
    var found = false

    def isOf(group: KeyRows, from: Int, room: Int): Boolean =
      (this.group eq group) && this.from == from && this.room == room

    def is(group: KeyRows, from: Int, room: Int, found: Boolean): Unit = {
      this.group = group
      this.from = from
      this.room = room
      this.found = found
    }
  }
}
