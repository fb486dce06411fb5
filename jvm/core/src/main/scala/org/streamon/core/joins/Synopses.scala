package org.streamon.core.joins

/** The windows' contents, as the pipelines see them. Rows are handles that the implementation chooses (slots,
  * addresses), 0 or greater. Not thread-safe; contents must not change between the arrival of a row and its
  * last result.
  */
trait Synopses {

  /** Prepares a way to look into a window for the rows that agree with rows already joined. Called when a
    * pipeline is put together, so the place to choose or build an index.
    *
    * @param window
    *   where to look
    * @param classes
    *   key classes that must agree, as bits; at least one. An index on any of them will do when the probe
    *   checks the others; so will a walk over the window.
    * @param from
    *   by key class: the input whose joined row has the value; -1 where `classes` has no bit
    */
  def probe(window: Int, classes: Long, from: Array[Int]): Probe

  /** Whether rows satisfy a residual predicate of the graph. All inputs that it refers to are joined.
    *
    * @param joined
    *   row by input
    */
  def satisfies(residual: Int, joined: Array[Long]): Boolean
}

/** Synopses whose rows can be referred to beyond an arrival, as caches do. */
trait ReferableSynopses extends Synopses {

  /** A number for the value that a joined row has in a key class: the same for equal values as long as any
    * window holds a row with that value, and never another value's. `ReferableSynopses.NoKey` where it cannot
    * be told.
    */
  def key(keyClass: Int, input: Int, joined: Array[Long]): Long

  /** A handle to a row of a window, or to the one that arrives, which no later row will have. */
  def reference(window: Int, row: Long): Long

  /** Whether the row of a reference has not left. */
  def holds(window: Int, reference: Long): Boolean

  /** How many rows have ever left a window: references taken since it was this hold. */
  def departures(window: Int): Long
}

object ReferableSynopses {
  val NoKey: Long = Long.MinValue
}

/** The rows of one window that agree with those joined. Null agrees with null only in a class that is
  * null-safe.
  */
trait Probe {

  /** The first match, or `Probe.NoRow`.
    *
    * @param joined
    *   row by input; meaningful for those that the probe takes values from
    */
  def first(joined: Array[Long]): Long

  /** The match after `row`, or `Probe.NoRow`. What is joined is as it was for `first`. */
  def next(row: Long, joined: Array[Long]): Long

  /** The join goes back past the row that it stands on, and will not ask for the next one. */
  def passedOver(): Unit = ()
}

object Probe {
  val NoRow: Long = -1L
}
