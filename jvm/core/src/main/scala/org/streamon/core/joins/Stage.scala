package org.streamon.core.joins

/** What stands at one position of a pipeline. */
private[core] trait Stage {

  /** The windows that it joins, in sequence. None when it only watches what passes. */
  def windows: IndexedSeq[Int]

  /** Where its row is kept among what is joined: the window's own place, or one behind those of all inputs.
    */
  def place: Int

  /** For a stage without windows, the key classes of which it needs the values, as bits. */
  def classes: Long = 0L

  /** Whether it must see all combinations of what is before it: then nothing behind it is looked up earlier.
    */
  def isBarrier: Boolean = false

  /** The look-up.
    *
    * @param classes
    *   key classes that must agree, as bits
    * @param from
    *   by key class: the input whose joined row has the value; -1 where `classes` has no bit
    * @param before
    *   the inputs that are joined when its turn comes, in sequence
    */
  def probe(classes: Long, from: Array[Int], before: IndexedSeq[Int]): Probe
}

/** A window. */
private[core] class WindowStage(window: Int, synopses: Synopses) extends Stage {
  val windows: IndexedSeq[Int] = Vector(window)
  def place: Int = window
  def probe(classes: Long, from: Array[Int], before: IndexedSeq[Int]): Probe =
    synopses.probe(window, classes, from)
}

/** A probe whose rows stand for rows of several windows. The one that it returns is bound: the rows of those
  * windows are among what is joined.
  */
private[core] trait CompositeProbe extends Probe {

  /** Binds a row that it has returned since the last `first`. */
  def bind(row: Long, joined: Array[Long]): Unit
}
