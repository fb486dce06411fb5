package org.streamon.spark.execution.constraints

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.streamon.spark.execution.state.{SpilledRows, StateHeader}

/** The cold rows of one input, read one key at a time. Their handles are above those of rows in memory.
  */
final class ColdRows(input: Int, rows: SpilledRows, tier: ColdTier) {

  /** Whether there may be some with a key, by its number. */
  def mayHave(dimension: Int, code: Long): Boolean = tier.mayHave(input, dimension, code)

  /** Another row has arrived. */
  def forget(): Unit = rows.forget()

  /** From now on handles are those of the rows with this key. */
  def turnTo(dimension: Int, key: UnsafeRow): Unit = rows.turnTo(dimension, key)

  /** Whether there is a row of this handle: they go up from `First`. */
  def has(handle: Long): Boolean = rows.has(handle.toInt)

  def pointTo(handle: Long, row: UnsafeRow): Unit = rows.pointTo(handle.toInt, row)

  /** Time and sequence of a row. */
  def nameOf(handle: Long): (Long, Long) = rows.nameOf(handle.toInt)

  /** Where the rows at hand lie: the dimension, and the key. */
  def place: (Int, UnsafeRow) = rows.place
}

object ColdRows {

  /** What a state tells of its cold rows.
    *
    * @param rows
    *   by input, how many there are
    * @param gone
    *   by input, microseconds: those with a time up to it have gone, though they may still lie in the store
    */
  final case class Told(rows: Array[Long], gone: Array[Long])

  /** That of the first. There are no caches beside cold rows, whose handles may be as great. */
  val First: Long = 1L << 32

  def isCold(handle: Long): Boolean = handle >= First

  /** What the header of a state tells of them; nothing where windows of rows have their numbers there. */
  def told(header: Option[StateHeader], inputs: Int, windowed: Boolean): Told = {
    val numbers = header.filterNot(_ => windowed).fold(Array.empty[Long])(_.rows.drop(inputs))
    // Earlier builds took out at once what had gone.
    Told(numbers.take(inputs).padTo(inputs, 0L), numbers.drop(inputs).padTo(inputs, Long.MinValue))
  }
}
