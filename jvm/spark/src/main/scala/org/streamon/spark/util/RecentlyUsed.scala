package org.streamon.spark.util

import java.util.LinkedHashMap
import java.util.Map.Entry

/** A map that keeps the entries used last. Not thread-safe.
  *
  * @param capacity
  *   how many it keeps
  */
private[spark] final class RecentlyUsed[K, V](capacity: Int) extends LinkedHashMap[K, V](16, 0.75f, true) {
  override def removeEldestEntry(eldest: Entry[K, V]): Boolean = size > capacity
}
