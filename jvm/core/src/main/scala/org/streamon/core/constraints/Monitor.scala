package org.streamon.core.constraints

/** Measures a distance between tuples as they arrive. Needs no join beside it. */
trait Monitor {

  /** What has been learned. */
  def adherence: Adherence

  /** What its content takes. */
  def bytes: Long

  /** What its arrays take, full or not. */
  def memoryBytes: Long

  /** All that it knows, as numbers: for a checkpoint. */
  final def state: Array[Long] = adherence.state.numbers ++ ownState

  /** Puts back what `state` gave. To be called on a new monitor, of the same settings.
    *
    * @param version
    *   of what the numbers mean, up to [[Monitor.Version]]
    */
  final def restore(state: Array[Long], version: Int = Monitor.Version): Unit =
    restore(AdherenceState(state), state.drop(AdherenceState.Length), version)

  protected def ownState: Array[Long]

  protected def restore(adheres: AdherenceState, own: Array[Long], version: Int): Unit
}

object Monitor {

  /** That of `state`. Version 1 counted a clustering distance from where a value came last. */
  val Version = 2
}
