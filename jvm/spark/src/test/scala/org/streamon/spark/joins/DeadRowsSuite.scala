package org.streamon.spark.joins

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{AttributeReference, UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.types.{DataType, LongType}
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.core.constraints.DeadRows
import org.streamon.spark.execution.state.{JoinShape, Mirror, RowKeys, SpilledRows, StateBounds, Synopsis}
import org.streamon.spark.logical.{JoinSpec, TwoWayWatermarks}

/** Which rows are in no future result, and what it takes to find them. */
class DeadRowsSuite extends AnyFunSuite {
  private def column(name: String) = AttributeReference(name, LongType)()
  private val (ra, sa, sb, tb) = (column("ra"), column("sa"), column("sb"), column("tb"))

  /** R(A), S(A, B), T(B). */
  private val shape = JoinShape(
    Vector(Seq(ra), Seq(sa, sb), Seq(tb)),
    JoinSpec(
      keys = Vector(Vector(Seq(ra), Seq(sa), Nil), Vector(Nil, Seq(sb), Seq(tb))),
      placing = 2,
      nullSafe = Vector(Vector(false), Vector(false)),
      bounding = Vector(Vector(false), Vector(false)),
      residuals = Nil,
      scopes = Nil,
      orders = Nil,
      twoWay = TwoWayWatermarks(Vector(0L, 0L, 0L), 0L),
      timed = 0L,
      declared = Nil
    ),
    StateBounds(Vector.fill(3)(None), Vector.fill(3)(None), Vector.fill(3)(0L), 0L),
    None
  )

  /** Rows in a mirror, of which all keys are over, but for those of some inputs. */
  private final class Over(open: Int*) {
    private val mirror = new Mirror(shape.bounds.expiring, shape.dimensionsOf, shape.numbers)
    private val keys = new RowKeys(shape)
    private var sequence = 0L
    private var died = Set.empty[(Int, Int)]

    /** How often it has been asked whether a key is over. */
    var asked: Long = 0L

    private val found = new DeadRows(
      shape.joinKeys,
      mirror,
      (_, _, input) => { asked += 1; !open.contains(input) },
      (_, _) => true,
      (input, slot) => died += input -> slot
    )

    /** Its slot. */
    def add(input: Int, values: Long*): Int = {
      val row = this.row(values: _*)
      val groups = Array.tabulate(shape.dimensions) { d =>
        if (shape.holds(input, d)) mirror.groupOf(d, keys(input, d, row)) else null
      }
      sequence += 1
      mirror.append(groups, input, SpilledRows.bytesOf(row), Synopsis.Never, sequence)
    }

    def look(input: Int, slot: Int): Unit = found.arrived(input, slot)
    def isDead(input: Int, slot: Int): Boolean = died(input -> slot)

    /** No more rows of an input come for a key. */
    def end(dimension: Int, key: Long, input: Int): Unit =
      found.over(dimension, mirror.groupOf(dimension, row(key)), input)

    private def row(values: Long*): UnsafeRow =
      UnsafeProjection.create(Array.fill[DataType](values.size)(LongType))(InternalRow.fromSeq(values)).copy()
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
    val (over, rows) = (new Over(0), 3000)
    (0 until rows).foreach(b => over.add(1, 1, b.toLong))
    val slots = Seq.fill(rows)(over.add(0, 1))
    slots.foreach(over.look(0, _))
    assert(slots.forall(over.isDead(0, _)))
    assert(over.asked < rows * 20L, over.asked)
  }

  test("keys that come to an end beside one of many rows take no more than a number of steps each") {
    val (over, rows) = (new Over(), 6000)
    (0 until rows).foreach(b => over.add(1, 1, b.toLong))
    Seq.fill(rows)(over.add(0, 1))
    (0 until rows).foreach(b => over.add(2, b.toLong))
    (0 until rows).foreach(b => over.end(1, b.toLong, input = 2))
    // The square of the rows would be 36 million.
    assert(over.asked < 10 * ((1 << 20) + rows * 64L), over.asked)
  }
}
