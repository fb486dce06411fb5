package org.streamon.spark.execution.constraints

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.streamon.spark.execution.state.{SpilledRows, StateHeader}

/** The cold rows of one input, a key at a time. Their handles are above those of rows in memory.
  */
final class ColdRows(input: Int, rows: SpilledRows, tier: ColdTier) {
  private var dimension = -1
  private var key: UnsafeRow = _

  /** Whether there may be some with a key, by its number. */
  def mayHave(dimension: Int, code: Long): Boolean = tier.mayHave(input, dimension, code)

  /** Another row has arrived. */
  def forget(): Unit = rows.forget()

  /** From now on handles are those of the rows with this key. */
  def turnTo(dimension: Int, key: UnsafeRow): Unit = {
    this.dimension = dimension
    this.key = key
    rows.turnTo(dimension, key)
  }

  /** Whether there is a row of this handle: they go up from `First`. */
  def has(handle: Long): Boolean = rows.has(handle.toInt)

  def pointTo(handle: Long, row: UnsafeRow): Unit = rows.pointTo(handle.toInt, row)

  /** Where a row lies. */
  def placeOf(handle: Long): ColdRows.Place = {
    val (time, sequence) = rows.nameOf(handle.toInt)
    ColdRows.Place(input, dimension, key.copy(), time, sequence)
  }
}

object ColdRows {

  /** Where a cold row lies in the state store. */
  final case class Place(input: Int, dimension: Int, key: UnsafeRow, time: Long, sequence: Long)

  /** That of the first. There are no caches beside cold rows, whose handles may be as great. */
  val First: Long = 1L << 32

  def isCold(handle: Long): Boolean = handle >= First

  /** How many the state has, by input. */
  def counts(header: Option[StateHeader], inputs: Int, windowed: Boolean): Array[Long] =
    header.map(_.rows.drop(inputs)).filter(_.length == inputs && !windowed).getOrElse(new Array[Long](inputs))
}
