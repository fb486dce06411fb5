package org.streamon.spark.joins

import org.apache.spark.sql.catalyst.expressions.{Literal, UnsafeProjection}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types.{DataType, LongType}
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.Allocated
import org.streamon.spark.execution.state.{KeyNumber, Mirror}

/** What a [[Mirror]] allocates for rows that come and leave. */
class MirrorAllocationSuite extends AnyFunSuite {
  private val project = UnsafeProjection.create(Array[DataType](LongType))

  test("nothing, for rows of keys that other rows have") {
    val longs = KeyNumber.of(Seq(Literal(0L)))
    val mirror = new Mirror(
      Array(true, true),
      Array(Array(0, 1), Array(0, 1)),
      Array(longs, longs),
      Vector.fill(2)(None)
    )
    val groups =
      Array.tabulate(10)(k => Array.tabulate(2)(d => mirror.groupOf(d, project(InternalRow(k + 0L)))))
    val row = new Array[Byte](8)
    groups.foreach(mirror.append(_, 1, row, 0L, 0L))
    def run(rows: Int): Long = Allocated.by {
      var k = 0
      while (k < rows) {
        mirror.append(groups(k % 10), 0, row, k.toLong, k.toLong)
        if (k >= 5) mirror.expire(0, k.toLong)
        k += 1
      }
      while (mirror.expire(0, Long.MaxValue) >= 0) {}
    }
    run(100000)
    val bytes = run(100000)
    assert(mirror.departures(0) == 200000)
    assert(bytes < 100000, s"$bytes bytes for 100,000 rows that came and left")
  }
}
