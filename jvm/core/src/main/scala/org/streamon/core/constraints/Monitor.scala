package org.streamon.core.constraints

/** Measures a distance between tuples as they arrive. Needs no join beside it. */
trait Monitor {

  /** What has been learned. */
  def adherence: Adherence

  /** What it takes. */
  def bytes: Long

  /** All that it knows, as numbers: for a checkpoint. */
  def state: Array[Long]

  /** Puts back what `state` gave. To be called on a new monitor, of the same settings. */
  def restore(state: Array[Long]): Unit
}

/** A monitor of keys that close. */
private[constraints] abstract class KeyMonitor(
    settings: MonitorSettings,
    declared: Option[Long],
    reach: Int
) extends Monitor {
  final val adherence: Adherence = new Adherence(settings, declared, givesUp = reach == 0)
  protected final val keys: AgingKeys = new AgingKeys(adherence, reach)

  final def bytes: Long = keys.bytes

  /** Keys watched. */
  final def size: Int = keys.size

  /** Of them those that may still close, or that an increase within k,,e,, would show. */
  final def pending: Int = keys.pending

  final def state: Array[Long] = adherence.state ++ keys.state

  final def restore(state: Array[Long]): Unit = {
    adherence.restore(state.take(Adherence.Length))
    keys.restore(state.drop(Adherence.Length))
  }

  /** Closes what is due by the k in use.
    *
    * @param closing
    *   takes a key. When it returns false the key is held back until `release`.
    */
  final def close(closing: LongTest): Unit = keys.close(closing)

  protected final def arrived(): Unit = if (adherence.arrive()) keys.reschedule()
}

/** Join distance of a many-one join (thesis, Sections 6.3.1 and 6.6.3): how many children arrive after a
  * parent tuple until its own has come; 0 when that came first.
  */
final class JoinDistanceMonitor(settings: MonitorSettings, declared: Option[Long] = None)
    extends KeyMonitor(settings, declared, 0) {

  /** A child.
    *
    * @param key
    *   by which parents join it
    */
  def childArrives(key: Long): Unit = {
    keys.count += 1
    val slot = keys.find(key)
    if (slot != End) {
      adherence.observe(keys.age(slot))
      keys.remove(slot)
    }
    arrived()
  }

  /** A parent tuple whose child has come. */
  def parentFinds(): Unit = adherence.observe(0L)

  /** A parent tuple whose child has not come. True when by the k in use it never will. */
  def parentWaits(key: Long): Boolean = {
    val found = keys.find(key)
    // With k = 0 it is closed by now, and often nothing is left to watch.
    found == End && adherence.k == 0L && adherence.watched == 0L && adherence.usable && !keys.keeps(key) || {
      val slot = if (found == End) keys.add(key) else found
      adherence.usable && (keys.isClosed(slot) || keys.age(slot) >= adherence.k)
    }
  }
}

/** Clustering distance of a stream on one column (thesis, Sections 6.3.1 and 6.7.2): how many other values
  * come between two that are equal. Keeps, for each value v, the thesis's C,,v,,.
  */
final class ClusteringMonitor(settings: MonitorSettings, declared: Option[Long] = None)
    extends KeyMonitor(settings, declared, 1) {

  def arrives(value: Long): Unit = {
    keys.count += 1
    val slot = keys.find(value)
    if (slot == End) keys.add(value)
    else {
      keys.rejuvenate(slot)
      adherence.observe(keys.age(slot))
    }
    arrived()
  }

  /** Whether values are held back. */
  def holds: Boolean = keys.held > 0

  /** Closes a value that was held back, if it can be now. */
  def release(value: Long, closing: LongTest): Unit = {
    val slot = keys.find(value)
    if (slot != End) keys.release(slot, closing)
  }

  /** C,,v,, of a value; none when it is not here. */
  def mark(value: Long): Option[Long] = Some(keys.find(value)).filter(_ != End).map(keys.base)

  /** C', arrivals so far. */
  def arrivals: Long = keys.count
}
