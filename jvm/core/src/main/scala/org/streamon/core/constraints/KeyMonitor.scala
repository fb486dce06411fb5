package org.streamon.core.constraints

import java.util.function.LongPredicate

/** A monitor of keys that close. */
private[constraints] abstract class KeyMonitor(
    settings: MonitorSettings,
    declared: Option[Long],
    reach: Int
) extends Monitor {
  final val adherence: Adherence = new Adherence(settings, declared, givesUp = reach == 0)
  protected final val keys: AgingKeys = new AgingKeys(adherence, reach)

  final def bytes: Long = keys.bytes
  final def memoryBytes: Long = keys.memoryBytes

  /** Keys watched. */
  final def size: Int = keys.size

  /** Of them those that may still close, or that an increase within k,,e,, would show. */
  final def pending: Int = keys.pending

  protected final def ownCounters: Array[Long] = keys.counters

  final def hasChanged: Boolean = keys.hasChanged
  final def changedPages(each: (Long, Array[Long]) => Unit): Unit = keys.changedPages(each)

  /** Under another declared k nothing is closed yet. */
  protected final def restore(adheres: AdherenceState, own: Array[Long], page: Long => Array[Long]): Unit =
    keys.restore(own, page, reopened = !adherence.restore(adheres))

  protected def restoreFormer(adheres: AdherenceState, own: Array[Long], version: Int): Unit =
    keys.restoreFormer(own, reopened = !adherence.restore(adheres), renewed = false)

  /** Closes what is due by the k in use.
    *
    * @param closing
    *   takes a key. When it returns false the key is held back until `release`.
    */
  final def close(closing: LongPredicate): Unit = keys.close(closing)

  /** How far a key would be from where it is counted from, if it came in the next micro-batch; -1 when it is
    * not watched.
    */
  final def distance(key: Long): Long = {
    val slot = keys.find(key)
    if (slot == End) -1L else keys.age(slot) + (1 - reach)
  }

  /** Whether a key is known, by the k in use, not to come again. */
  final def isClosed(key: Long): Boolean = adherence.usable && {
    val slot = keys.find(key)
    slot != End && keys.isClosed(slot)
  }

  private var returned = false

  /** Whether k can be used since the latest arrivals, and could not before. */
  final def hasReturned: Boolean = returned

  /** Arrivals, after what they tell. Whoever has been told which keys are closed has not been told of tuples
    * that came while k was not known: they are closed again. Arrivals without any distance tell nothing:
    * children that nobody waits for, and values before any comes again.
    */
  protected final def advance(count: Long): Unit = {
    val (unknown, usable) = (adherence.k == Infinite, adherence.usable)
    if (adherence.advance(count, needsPairs = true)) {
      if (unknown) keys.reopen()
      keys.reschedule()
    }
    returned = !usable && adherence.usable
  }
}
