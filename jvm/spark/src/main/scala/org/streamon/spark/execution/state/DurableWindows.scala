package org.streamon.spark.execution.state

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

/** What the state store has of the windows of rows of a partition: rows that wait for the watermark; for each
  * group how many rows came; and the sequence numbers of the rows in the windows. Rows given are reused from
  * call to call.
  */
trait DurableWindows {
  def putPending(input: Int, time: Long, sequence: Long, row: UnsafeRow): Unit

  /** Takes out all rows of an input with a time up to `bound`, by time. */
  def takePending(input: Int, bound: Long)(f: (Long, UnsafeRow) => Unit): Unit

  /** How many rows of a group came; 0 for none. */
  def count(input: Int, group: UnsafeRow): Long

  def putCount(input: Int, group: UnsafeRow, count: Long): Unit

  def foreachCount(input: Int)(f: (UnsafeRow, Long) => Unit): Unit

  /** The sequence number of the row of a group that came as the one with this number; -1 when it is not kept.
    */
  def sequence(input: Int, group: UnsafeRow, number: Long): Long

  def putSequence(input: Int, group: UnsafeRow, number: Long, sequence: Long): Unit

  def removeSequence(input: Int, group: UnsafeRow, number: Long): Unit

  /** Group, number and sequence number of every row that is kept. */
  def foreachSequence(input: Int)(f: (UnsafeRow, Long, Long) => Unit): Unit
}
