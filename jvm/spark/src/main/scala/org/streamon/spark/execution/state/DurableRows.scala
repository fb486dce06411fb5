package org.streamon.spark.execution.state

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

/** The synopses of one partition in one version of the state store, and the changes for the next version.
  */
trait DurableRows {

  /** What this version has; none when the state was never changed. */
  def header: Option[StateHeader]

  def write(header: StateHeader): Unit

  def put(input: Int, time: Long, sequence: Long, row: UnsafeRow): Unit

  def remove(input: Int, time: Long, sequence: Long): Unit

  /** A row; null when it is not there. Reused from call to call. */
  def get(input: Int, time: Long, sequence: Long): UnsafeRow

  /** Every row of an input with a time up to `bound`, by time, with time and sequence. The row is reused from
    * call to call.
    */
  def foreach(input: Int, bound: Long)(f: (Long, Long, UnsafeRow) => Unit): Unit

  /** Puts a row of a spilled input under its key in a dimension as well. */
  def putKeyed(input: Int, dimension: Int, key: UnsafeRow, time: Long, sequence: Long, row: UnsafeRow): Unit

  def removeKeyed(input: Int, dimension: Int, key: UnsafeRow, time: Long, sequence: Long): Unit

  /** Every row that is under its key in a dimension, with time and sequence; any may be removed meanwhile.
    * The row is reused from call to call.
    */
  def foreachKeyed(input: Int, dimension: Int)(f: (Long, Long, UnsafeRow) => Unit): Unit

  /** A row that is under its key; null when it is not there. Reused from call to call. */
  def getKeyed(input: Int, dimension: Int, key: UnsafeRow, time: Long, sequence: Long): UnsafeRow

  /** Marks a row that is there as one that constraints call dead.
    *
    * @param died
    *   the sequence number of the partition when it died and was retained
    */
  def mark(input: Int, time: Long, sequence: Long, died: Long): Unit

  def unmark(input: Int, time: Long, sequence: Long): Unit

  /** Time and sequence of every row that is marked; any may be removed meanwhile. */
  def foreachMark(input: Int)(f: (Long, Long) => Unit): Unit

  /** Every row of an input, by time, and its mark if it has one. The row is reused from call to call. */
  def foreachMarked(input: Int)(f: (Long, Long, UnsafeRow, Option[Long]) => Unit): Unit

  /** Whether there is a row with a key and a time above `after`, among those that are under their keys. */
  def hasKeyed(input: Int, dimension: Int, key: UnsafeRow, after: Long): Boolean

  /** The rows of a spilled input, or the cold rows of another, with a key and a time above `after`. To be
    * closed.
    */
  def rowsOf(input: Int, dimension: Int, key: UnsafeRow, after: Long): KeyedRows
}

/** An iteration over the rows with one key. */
trait KeyedRows extends AutoCloseable {

  /** Goes on to the next row; false when there is none. */
  def next(): Boolean

  def time: Long
  def sequence: Long

  /** Reused from row to row. */
  def row: UnsafeRow

  override def close(): Unit
}

object DurableRows {

  /** The mark of a cold row in states of an earlier build, which has these by name as well. */
  val Cold: Long = -1L
}

/** Beside the rows of a partition.
  *
  * @param stamp
  *   drawn anew at each change, so that a mirror can be told to hold exactly the rows of this state: whatever
  *   task, attempt or executor wrote it
  * @param partitions
  *   how many partitions there are
  * @param sequence
  *   the number of the next row
  * @param rows
  *   how many memory holds or reads where it has spilled, by input; behind these, where there are windows of
  *   rows, what waits: see [[WindowedState]]; where constraints evict, how many are cold, by input, and up to
  *   which time these have gone
  * @param spilled
  *   by input, whether its rows lie under their keys too, and are read from there
  */
final case class StateHeader(
    stamp: Long,
    partition: Int,
    partitions: Int,
    sequence: Long,
    rows: Array[Long],
    spilled: Array[Boolean]
)

object StateHeader {

  /** The stamp of a state that was never changed. */
  val Fresh: Long = 0L
}
