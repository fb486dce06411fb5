package org.streamon.core.constraints

/** Whether the keys of a stream are all different: what makes a join with it many-one. The thesis takes that
  * for declared; here it is believed as well when W arrivals in a row, from the first on, have had keys of
  * their own, and never again after one that had not.
  *
  * @param declared
  *   whether it is believed from the start, whatever comes
  */
final class UniqueMonitor(settings: MonitorSettings, declared: Boolean) {
  private var seen = 0L
  private var again = 0L

  def observe(count: Long): Unit = seen += count

  /** Keys that have come again. */
  def repeat(count: Long): Unit = again += count

  /** How many they were. */
  def repeats: Long = again

  def usable: Boolean = declared || again == 0 && seen >= settings.window

  def counters: Array[Long] = Array(seen, again)

  def restore(counters: Array[Long]): Unit = {
    seen = counters(0)
    again = counters(1)
  }
}
