package org.streamon.spark.joins

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{AttributeReference, UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.types.{DataType, LongType}
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.execution.constraints.DeadRows
import org.streamon.spark.execution.joins._

/** Which rows are in no future result, and what it takes to find them. */
class DeadRowsSuite extends AnyFunSuite {
  private def column(name: String) = AttributeReference(name, LongType)()
  private val (ra, sa, sb, tb) = (column("ra"), column("sa"), column("sb"), column("tb"))

  /** R(A), S(A, B), T(B). */
  private val shape = JoinShape(
    Vector(Seq(ra), Seq(sa, sb), Seq(tb)),
    Vector(Vector(Seq(ra), Seq(sa), Nil), Vector(Nil, Seq(sb), Seq(tb))),
    Vector(Vector(false), Vector(false)),
    Nil,
    StateBounds(Vector.fill(3)(None), Vector.fill(3)(None), Vector.fill(3)(0L), 0L),
    None
  )

  /** Rows in a mirror, of which all keys are over. */
  private final class Over {
    private val mirror = new Mirror(shape.bounds.expiring, shape.dimensionsOf, shape.numbers)
    private val keys = new RowKeys(shape)
    private var sequence = 0L
    private var died = Set.empty[(Int, Int)]

    /** How often it has been asked whether a key is over. */
    var asked: Long = 0L

    private val found = new DeadRows(
      shape,
      mirror,
      (_, _, _) => { asked += 1; true },
      (_, _) => true,
      (input, slot) => died += input -> slot
    )

    /** Its slot. */
    def add(input: Int, values: Long*): Int = {
      val row: UnsafeRow = UnsafeProjection.create(Array.fill[DataType](values.size)(LongType))(
        InternalRow.fromSeq(values)
      )
      val groups = Array.tabulate(shape.dimensions) { d =>
        if (shape.holds(input, d)) mirror.groupOf(d, keys(input, d, row)) else null
      }
      sequence += 1
      mirror.append(groups, input, SpilledRows.bytesOf(row), Synopsis.Never, sequence)
    }

    /** Whether a row is known to be dead when it has been looked at. */
    def isDead(input: Int, slot: Int): Boolean = {
      found.arrived(input, slot)
      died(input -> slot)
    }
  }

  test("a row is dead when all that it reaches is over") {
    val over = new Over
    val slots = Seq(over.add(0, 1), over.add(1, 1, 7), over.add(2, 7))
    for ((slot, input) <- slots.zipWithIndex) assert(over.isDead(input, slot))
  }

  test("a key of many rows is walked through in part, and its rows stay") {
    val (over, rows) = (new Over, 3000)
    (0 until rows).foreach(b => over.add(1, 1, b.toLong))
    val slots = Seq.fill(rows)(over.add(0, 1))
    val dead = slots.count(over.isDead(0, _))
    assert(dead > 0 && dead < rows)
    // All of them would take nine million steps.
    assert(over.asked < rows * 1000L, over.asked)
  }
}
