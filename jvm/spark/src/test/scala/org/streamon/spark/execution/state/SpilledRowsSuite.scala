package org.streamon.spark.execution.state

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.types.{DataType, LongType, StringType}
import org.apache.spark.unsafe.types.UTF8String
import org.scalatest.funsuite.AnyFunSuite

/** The rows of one key that are read from the state store. */
class SpilledRowsSuite extends AnyFunSuite {
  private val keyed = UnsafeProjection.create(Array[DataType](LongType))
  private val written = UnsafeProjection.create(Array[DataType](LongType, StringType))
  private var read, opened, closed = 0

  /** A store that has so many rows of a kilobyte for each key; counts what is read of it. */
  private def rows(count: Int) = new SpilledRows((_, _) =>
    new KeyedRows {
      opened += 1
      private var at = -1
      override def next(): Boolean = {
        at += 1
        if (at < count) read += 1
        at < count
      }
      override def time: Long = at * 10L
      override def sequence: Long = at.toLong
      override def row: UnsafeRow = written(InternalRow(at.toLong, UTF8String.fromString("x" * 1000)))
      override def close(): Unit = closed += 1
    }
  )

  private def key(k: Long) = keyed(InternalRow(k))

  private def numberAt(rows: SpilledRows, slot: Int) = {
    val row = new UnsafeRow(2)
    rows.pointTo(slot, row)
    row.getLong(0)
  }

  private def begin(): Unit = { read = 0; opened = 0; closed = 0 }

  test("a row is read when it is asked for, and once") {
    begin()
    val few = rows(5)
    few.turnTo(0, key(1))
    assert(few.has(0) && few.has(1) && read == 2)
    assert(Seq(1, 0).map(numberAt(few, _)) == Seq(1L, 0L) && few.nameOf(1) == ((10L, 1L)) && read == 2)
    few.turnTo(0, key(1))
    assert((0 until 5).forall(few.has) && !few.has(5) && read == 5)
    assert(opened == 1 && closed == 1)
  }

  test("another key, another dimension and another arriving row are another walk; each is closed") {
    begin()
    val few = rows(5)
    for ((dimension, k) <- Seq(0 -> 1L, 0 -> 2L, 1 -> 2L)) {
      few.turnTo(dimension, key(k))
      assert(few.has(0))
    }
    few.forget()
    few.turnTo(1, key(2))
    assert(few.has(4) && !few.has(5) && opened == 4 && closed == 4)
  }

  test("of a key with many rows few are held, and the first are read again") {
    begin()
    val many = rows(10000)
    many.turnTo(0, key(1))
    for (slot <- 0 until 10000) assert(many.has(slot) && numberAt(many, slot) == slot)
    assert(!many.has(10000) && read == 10000 && opened == 1)
    assert(numberAt(many, 9999) == 9999L && opened == 1, "it is held")
    assert(many.has(0) && numberAt(many, 0) == 0L && opened == 2 && read == 10001)
    assert(many.nameOf(3000) == ((30000L, 3000L)))
  }
}
