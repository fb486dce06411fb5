package org.streamon.core.constraints

import java.util.function.LongPredicate

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
  def observe(values: Array[Long], count: Int, all: Long): Unit = {
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
    advance(all)
  }

  /** A k that was learned in version 1 is too small now: it is forgotten, and infinite until it is learned
    * from distances since. What a declared one has closed by the latest occurrence it closes by the first,
    * too.
    */
  override protected def restoreFormer(adheres: AdherenceState, own: Array[Long], version: Int): Unit =
    if (version > 1) super.restoreFormer(adheres, own, version)
    else {
      val same = declared.nonEmpty && adherence.restore(adheres)
      keys.restoreFormer(own, reopened = !same, renewed = true)
    }

  /** Whether values are held back. */
  def hasHeldKeys: Boolean = keys.held > 0

  /** Closes a value that was held back, if it can be now. */
  def release(value: Long, closing: LongPredicate): Unit = {
    val slot = keys.find(value)
    if (slot != End) keys.release(slot, closing)
  }
}
