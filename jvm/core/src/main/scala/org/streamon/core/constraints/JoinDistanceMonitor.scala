package org.streamon.core.constraints

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
  def observeChildren(children: Array[Long], count: Int, all: Long): Unit = {
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
    advance(all)
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

  /** A parent tuple waits whose child has not come, and k can be used again. If its key is not watched any
    * longer, it has waited for all the time that k could not be used, and is closed next. That many are, is
    * no sign then that k has risen.
    */
  def parentWaited(key: Long): Unit =
    if (keys.find(key) == End) keys.add(key, adherence.k + adherence.settings.window)
}
