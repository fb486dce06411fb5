package org.streamon.spark.util

import java.util.LinkedHashMap
import java.util.Map.Entry

/** A map that keeps the most recently used entries. It is not thread-safe.
  *
  * @param capacity
  *   the number of entries that it keeps
  */
private[spark] final class RecentlyUsed[K, V](capacity: Int) extends LinkedHashMap[K, V](16, 0.75f, true) {
  override def removeEldestEntry(eldest: Entry[K, V]): Boolean = size > capacity
}
