package org.streamon.spark.execution.state

/** Undoes the changes of a micro-batch to a mirror. In `foreachBatch` each action on the frame joins the
  * micro-batch again, from the state before it. The previous action has committed a state that is not used,
  * or has stopped early, like `isEmpty`, and committed nothing.
  */
private[state] final class MirrorUndo(mirror: Mirror) {

  /** Of the state before the micro-batch. */
  val stamp: Long = mirror.stamp

  private val sequence = mirror.sequence
  private val spilled = mirror.spilled.clone()
  private val spilledRows = mirror.spilledRows.clone()
  private var lacksRows = false

  /** A row leaves: one that was there before cannot be put back. */
  def rowLeaves(number: Long): Unit = if (!isNew(number)) lacksRows = true

  /** Whether the mirror has the rows of before now. Caches are let go of, since the task may have stopped
    * within a row.
    */
  def apply(): Boolean = {
    mirror.closeCaches()
    val isPossible = !lacksRows && mirror.spilled.sameElements(spilled)
    if (isPossible) {
      for (input <- spilled.indices if !spilled(input)) {
        val synopsis = mirror.synopsis(input)
        synopsis.foreach(slot => if (isNew(synopsis.sequence(slot))) mirror.remove(input, slot))
      }
      mirror.sequence = sequence
      mirror.stamp = stamp
      spilledRows.copyToArray(mirror.spilledRows)
    }
    isPossible
  }

  /** Rows that go at the end of their micro-batch have numbers below zero. */
  private def isNew(number: Long) = number >= sequence || number < 0L
}
