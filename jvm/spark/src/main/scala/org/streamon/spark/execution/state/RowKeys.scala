package org.streamon.spark.execution.state

import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}

/** The keys of the rows of every input, for one task. */
final class RowKeys(shape: JoinShape) {
  private val projections = Array.tabulate(shape.size, shape.dimensions) { (i, d) =>
    if (shape.holds(i, d)) UnsafeProjection.create(shape.keys(d)(i), shape.inputs(i)) else null
  }
  private val nullSafe = shape.spec.nullSafe.map(_.toArray).toArray

  /** The key of a row in a dimension in which its input has one. Reused from call to call. */
  def apply(input: Int, dimension: Int, row: UnsafeRow): UnsafeRow = projections(input)(dimension)(row)

  /** Takes a row out of the store from under its keys. */
  def removeFrom(store: DurableRows, input: Int, row: UnsafeRow, time: Long, sequence: Long): Unit = {
    val own = shape.dimensionsOf(input)
    var k = 0
    while (k < own.length) {
      store.removeKeyed(input, own(k), this(input, own(k), row), time, sequence)
      k += 1
    }
  }

  /** Whether all rows have the same key. */
  def constant(dimension: Int): Boolean = constants(dimension)

  private val constants = Array.tabulate(shape.dimensions)(shape.isConstant)

  /** Whether a key can equal any other: false where it has a null that equals nothing. */
  def matchable(dimension: Int, key: UnsafeRow): Boolean = {
    val safe = nullSafe(dimension)
    var part = 0
    while (part < safe.length && (safe(part) || !key.isNullAt(part))) part += 1
    part == safe.length
  }
}
