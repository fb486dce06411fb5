package org.streamon.spark.joins

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Literal, UnsafeProjection}
import org.apache.spark.sql.types.{DataType, LongType}
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.execution.joins.ProbeDimensions
import org.streamon.spark.execution.state.{KeyNumber, Mirror, Synopsis}

/** By which of several keys rows are found. */
class ProbeDimensionsSuite extends AnyFunSuite {

  /** Two inputs with two keys in common; a third has the first of them. */
  private def mirror = {
    val longs = KeyNumber.of(Seq(Literal(0L)))
    new Mirror(
      Array(false, false, false),
      Array(Array(0, 1), Array(0, 1), Array(0)),
      Array(longs, longs),
      Vector.fill(3)(None)
    )
  }

  private val project = UnsafeProjection.create(Array[DataType](LongType))
  private def key(value: Long) = project(InternalRow(value)).copy()

  private def add(to: Mirror, input: Int, keys: Long*): Unit = {
    val groups = keys.zipWithIndex.map { case (value, d) => to.groupOf(d, key(value)) }.toArray
    to.append(groups, input, Array[Byte](), Synopsis.Never, 0L)
  }

  test("the one that the fewest inputs have, until rows tell which has the most keys") {
    val rows = mirror
    val dimensions = new ProbeDimensions(rows, _ => false)
    assert(dimensions(0).toSeq == Seq(1, 0))
    for (n <- 1L to 100L) {
      add(rows, 0, n, n % 5)
      dimensions.review()
    }
    assert(dimensions(0).toSeq == Seq(0, 1) && dimensions(1).toSeq == Seq(1, 0))
    assert(dimensions.version == 1)
  }

  test("rows that are there tell at once; a constant comes last") {
    val rows = mirror
    for (n <- 1L to 100L) add(rows, 0, n, n % 5)
    assert(new ProbeDimensions(rows, _ => false)(0).toSeq == Seq(0, 1))
    assert(new ProbeDimensions(rows, _ == 0)(0).toSeq == Seq(1, 0))
  }

  test("of an input that was spilled the keys of the others tell") {
    val rows = mirror
    for (n <- 1L to 100L) add(rows, 1, n, n % 5)
    rows.spill(0)(_ => ())
    assert(new ProbeDimensions(rows, _ => false)(0).toSeq == Seq(0, 1))
  }
}
