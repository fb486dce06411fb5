package org.streamon.lab.baselines.constraints

/** A join under windows that is driven a tuple at a time. */
trait WindowJoin {

  /** A tuple arrives.
    *
    * @param row
    *   by column; not kept
    * @param passes
    *   whether it satisfies the filters of its input
    * @param order
    *   by which it will expire, not less than that of earlier tuples of the input
    */
  def arrive(input: Int, row: Array[Long], passes: Boolean, order: Long): Unit

  /** Tuples of an input leave their window: those up to an order. */
  def expire(input: Int, through: Long): Unit

  /** Tuples of an input with a value in a joined column leave their window, as in one partitioned by it. */
  def expireKey(input: Int, column: Int, value: Long): Unit

  /** Tuples kept. */
  def tuples: Int

  /** What they and all that is kept beside them take. */
  def bytes: Long

  /** The k in use of a constraint; `Infinite` when it is not known.
    *
    * @throws NoSuchElementException
    *   when the join has no such constraint
    */
  def k(constraint: KConstraint): Long
}
