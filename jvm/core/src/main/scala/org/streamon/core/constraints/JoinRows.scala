package org.streamon.core.constraints

/** The rows that a join holds, by their keys: all that constraints ask of them. A row is a slot of its input.
  */
trait JoinRows {

  /** Whether the rows of an input are here. Of one whose rows are not nothing is known. */
  def hasInMemory(input: Int): Boolean

  /** Whether a slot has a row. */
  def isUsed(input: Int, slot: Int): Boolean

  /** What all inputs hold of the key of a row. */
  def rowsOf(input: Int, dimension: Int, slot: Int): KeyRows

  /** The next older row of the same key; -1 for none. */
  def next(input: Int, dimension: Int, slot: Int): Int

  /** The rows of a key, by its number; null when there are none. */
  def find(dimension: Int, code: Long): KeyRows

  /** All keys of a dimension. */
  def foreachKey(dimension: Int)(each: KeyRows => Unit): Unit
}
