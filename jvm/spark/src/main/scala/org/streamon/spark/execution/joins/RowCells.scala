package org.streamon.spark.execution.joins

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, UnsafeProjection}
import org.apache.spark.sql.catalyst.InternalRow
import org.streamon.core.joins.Shares

/** The cells of a hypercube in which the rows of an input join, for one task.
  *
  * @param keys
  *   of the input, by dimension, part by part; none where it has no key
  */
final class RowCells(keys: Seq[Seq[Expression]], columns: Seq[Attribute], input: Int, shares: Shares) {
  private val projections =
    keys.map(key => if (key.isEmpty) null else UnsafeProjection.create(key, columns)).toArray
  private val hashes = new Array[Int](keys.size)

  /** How many there are for each row. */
  val replicas: Int = shares.replicas(input)

  /** The first of them. */
  def first(row: InternalRow): Int = {
    var d = 0
    while (d < hashes.length) {
      // Of the bytes of the key, and so the same on every machine and after every restart.
      if (projections(d) != null) hashes(d) = projections(d)(row).hashCode
      d += 1
    }
    shares.cell(input, hashes)
  }

  def replica(first: Int, replica: Int): Int = shares.replica(input, first, replica)

  /** Whether the row joins in a cell. */
  def contain(row: InternalRow, cell: Int): Boolean = {
    val from = first(row)
    var k = 0
    while (k < replicas && replica(from, k) != cell) k += 1
    k < replicas
  }
}
