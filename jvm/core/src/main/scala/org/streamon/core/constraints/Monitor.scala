package org.streamon.core.constraints

/** Measures a distance between tuples as they arrive. Needs no join beside it. */
trait Monitor {

  /** What has been learned. */
  def adherence: Adherence

  /** What it takes. */
  def bytes: Long

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

  protected final def ownState: Array[Long] = keys.state

  /** Under another declared k nothing is closed yet. */
  protected def restore(adheres: AdherenceState, own: Array[Long], version: Int): Unit =
    keys.restore(own, reopened = !adherence.restore(adheres), renewed = false)

  /** Closes what is due by the k in use.
    *
    * @param closing
    *   takes a key. When it returns false the key is held back until `release`.
    */
  final def close(closing: LongTest): Unit = keys.close(closing)

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

  /** Arrivals, after what they tell. Whoever has been told which keys are closed has not been told of tuples
    * that came while k was not known: they are closed again. Arrivals without any distance tell nothing:
    * children that nobody waits for, and values before any comes again.
    */
  protected final def arrived(count: Long): Unit = {
    val unknown = adherence.k == Infinite
    if (adherence.arrive(count, needsPairs = true)) {
      if (unknown) keys.reopen()
      keys.reschedule()
    }
  }
}

/** Join distance of a many-one join (thesis, Sections 6.3.1 and 6.6.3): how many children arrive after a
  * parent tuple until its own has come; 0 when that came first.
  */
final class JoinDistanceMonitor(settings: MonitorSettings, declared: Option[Long] = None)
    extends KeyMonitor(settings, declared, 0) {

  /** The children of a micro-batch, before the parents of it. Their order does not count: each comes next
    * after those of earlier micro-batches, so that its distance is at most what it was where it came from.
    *
    * @param children
    *   the keys of those that are watched, the first `count`
    * @param all
    *   how many come
    */
  def childrenArrive(children: Array[Long], count: Int, all: Long): Unit = {
    var i = 0
    while (i < count) {
      val slot = keys.find(children(i))
      if (slot != End) {
        adherence.note(keys.age(slot) + 1)
        keys.remove(slot)
      }
      i += 1
    }
    keys.count += all
    arrived(all)
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

/** Clustering distance of a stream on one column A (thesis, Section 6.3.1): between two tuples with A = v,
  * the number of tuples with A != v. CA(k) bounds it for every pair, so it is counted from the first
  * occurrence of a value: in v, x, v, x, v, x, v the last has 3. Keeps, for each value v, the thesis's C,,v,,
  * (Section 6.7.2), which a further v raises by one.
  */
final class ClusteringMonitor(settings: MonitorSettings, declared: Option[Long] = None)
    extends KeyMonitor(settings, declared, 1) {

  /** The values of a micro-batch. Their order does not count: between two that are equal come the others of
    * the micro-batches between, so that their distance is at most what it was where they came from.
    *
    * @param values
    *   those that are watched, the first `count`
    * @param all
    *   how many come
    */
  def arrive(values: Array[Long], count: Int, all: Long): Unit = {
    var i = 0
    while (i < count) {
      val slot = keys.find(values(i))
      if (slot != End) {
        adherence.note(keys.age(slot))
        adherence.lasts(keys.extent(slot))
      }
      i += 1
    }
    keys.count += all
    i = 0
    while (i < count) {
      val slot = keys.find(values(i))
      if (slot == End) keys.add(values(i))
      // Its first micro-batch: no distance, but it tells that keys come together.
      else if (keys.age(slot) == 0L) adherence.note(0L)
      else keys.rejuvenate(slot)
      i += 1
    }
    arrived(all)
  }

  /** A k that was learned in version 1 is too small now: it is forgotten, and infinite until it is learned
    * from distances since. What a declared one has closed by the latest occurrence it closes by the first,
    * too.
    */
  override protected def restore(adheres: AdherenceState, own: Array[Long], version: Int): Unit =
    if (version > 1) super.restore(adheres, own, version)
    else {
      val same = declared.nonEmpty && adherence.restore(adheres)
      keys.restore(own, reopened = !same, renewed = true)
    }

  /** Whether values are held back. */
  def holds: Boolean = keys.held > 0

  /** Closes a value that was held back, if it can be now. */
  def release(value: Long, closing: LongTest): Unit = {
    val slot = keys.find(value)
    if (slot != End) keys.release(slot, closing)
  }
}
