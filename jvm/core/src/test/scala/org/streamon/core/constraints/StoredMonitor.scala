package org.streamon.core.constraints

import scala.collection.mutable

/** What a checkpoint has of a monitor. */
final class StoredMonitor {
  private var counters = Array.empty[Long]
  private val pages = mutable.LongMap.empty[Array[Long]]

  /** Numbers that have been written so far. */
  var written: Long = 0L

  /** Pages that are there. */
  def size: Int = pages.size

  def save(monitor: Monitor): Unit = {
    counters = monitor.counters
    written += counters.length
    monitor.changedPages { (page, content) =>
      written += content.length
      if (content.isEmpty) pages.remove(page) else pages(page) = content
    }
  }

  def restore(monitor: Monitor): Unit =
    monitor.restore(counters, pages.getOrElse(_, Array.empty[Long]))
}
