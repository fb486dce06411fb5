package org.streamon.spark.execution.state

import scala.collection.mutable.{ArrayBuffer, HashMap}

/** The state of windows of rows, in addition to the rows of a [[Mirror]].
  *
  * @param windowed
  *   by input, whether it has a window of rows
  */
final class WindowedState(val windowed: IndexedSeq[Boolean]) {

  /** By input; null without a window, and where the input is read from the state store. */
  val groups: Array[WindowGroups] = windowed.map(if (_) new WindowGroups else null).toArray

  /** By input, rows that wait for the watermark: those that join here, and those that are only counted here.
    */
  val pending: Array[Long] = new Array[Long](windowed.size)
  val pendingElsewhere: Array[Long] = new Array[Long](windowed.size)

  /** Whether rows of an input wait. */
  def waits(input: Int): Boolean = pending(input) + pendingElsewhere(input) > 0

  /** How many rows wait: by input those that join here, then by input those that do not. */
  def waiting: Array[Long] = pending ++ pendingElsewhere

  /** Takes over what the state store has.
    *
    * @param mirror
    *   which has the rows already
    * @param counts
    *   by input, how many rows are kept, and then what `waiting` said
    */
  def read(store: DurableWindows, mirror: Mirror, counts: Array[Long]): Unit = {
    val n = windowed.size
    System.arraycopy(counts, n, pending, 0, n)
    System.arraycopy(counts, 2 * n, pendingElsewhere, 0, n)
    for (i <- 0 until n if groups(i) != null) readGroups(store, mirror.synopsis(i), i)
  }

  private def readGroups(store: DurableWindows, synopsis: Synopsis, input: Int): Unit = {
    val slots = new HashMap[Long, Int]
    synopsis.foreach(slot => slots.put(synopsis.sequence(slot), slot))
    store.foreachCount(input)(groups(input).create(_, _))
    val kept = new ArrayBuffer[(WindowGroup, Long, Int)]
    store.foreachSequence(input) { (group, number, sequence) =>
      kept += ((groups(input).find(group), number, slots(sequence)))
    }
    for ((group, number, slot) <- kept.sortBy(_._2)) group.add(number, slot)
  }

  def memoryBytes(input: Int): Long = if (groups(input) == null) 0L else groups(input).memoryBytes

  /** Lets an input be read from the state store from now on, which has all of it. */
  def spill(input: Int): Unit = groups(input) = null
}
