package org.streamon.core.constraints

import org.scalatest.funsuite.AnyFunSuite

/** Which rows are in no future result, and what it takes to find them. */
class DeadRowsSpec extends AnyFunSuite {

  /** R(A), S(A, B), T(B). */
  private val keys = new JoinKeys(Array(Array(0), Array(0, 1), Array(1)), new Array(2), new Array(2))

  /** Rows of which all keys are over, but for those of some inputs. */
  private final class Over(open: Set[Int] = Set.empty, room: Int = DeadRows.Room) {
    private val rows = new LongRows(keys)
    private var died = Set.empty[(Int, Int)]

    /** How often it has been asked whether a key is over. */
    var asked: Long = 0L

    private val found = new DeadRows(
      keys,
      rows,
      (_, _, input) => { asked += 1; !open.contains(input) },
      (_, _) => true,
      (input, slot) => died += input -> slot,
      room
    )

    /** Its slot. */
    def add(input: Int, own: Long*): Int = rows.add(input, own: _*)
    def look(input: Int, slot: Int): Unit = found.arrived(input, slot)
    def isDead(input: Int, slot: Int): Boolean = died(input -> slot)

    /** No more rows of an input come for a key. */
    def end(dimension: Int, key: Long, input: Int): Unit =
      found.over(dimension, rows.group(dimension, key), input)
  }

  test("a row is dead when all that it reaches is over") {
    val over = new Over()
    val slots = Seq(over.add(0, 1), over.add(1, 1, 7), over.add(2, 7))
    for ((slot, input) <- slots.zipWithIndex) {
      over.look(input, slot)
      assert(over.isDead(input, slot))
    }
  }

  test("a key of many rows is walked through once for all of an input's rows") {
    val (over, rows) = (new Over(open = Set(0)), 3000)
    (0 until rows).foreach(b => over.add(1, 1, b.toLong))
    val slots = Seq.fill(rows)(over.add(0, 1))
    slots.foreach(over.look(0, _))
    assert(slots.forall(over.isDead(0, _)))
    assert(over.asked < rows * 20L, over.asked)
  }

  test("keys that come to an end beside one of many rows walk through that once") {
    val (over, rows) = (new Over(), 6000)
    (0 until rows).foreach(b => over.add(1, 1, b.toLong))
    val waiting = Seq.fill(rows)(over.add(0, 1))
    (0 until rows).foreach(b => over.add(2, b.toLong))
    (0 until rows).foreach(b => over.end(1, b.toLong, input = 2))
    assert(waiting.forall(over.isDead(0, _)))
    // The square of the rows would be 36 million.
    assert(over.asked < 50L * rows, over.asked)
  }

  test("a key of more rows than there is room for is not walked through") {
    for ((room, found) <- Seq(6 -> false, 7 -> true)) {
      val over = new Over(room = room)
      (0 until 100).foreach(b => over.add(1, 1, b.toLong))
      val waits = over.add(0, 1)
      over.look(0, waits)
      assert(over.isDead(0, waits) == found)
    }
  }
}
