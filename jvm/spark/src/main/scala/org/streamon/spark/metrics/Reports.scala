package org.streamon.spark.metrics

import java.util.{ArrayList, Collections, List => JList}

import org.apache.spark.util.AccumulatorV2

/** Carries what tasks tell to the driver.
  *
  * @param deliver
  *   called there, for each task that succeeded
  */
final class Reports[T](deliver: T => Unit) extends AccumulatorV2[T, JList[T]] {
  private val pending = Collections.synchronizedList(new ArrayList[T])

  override def isZero: Boolean = pending.isEmpty
  override def add(report: T): Unit = pending.add(report)
  override def reset(): Unit = pending.clear()
  override def value: JList[T] = pending
  override def excludeFromHeartbeat: Boolean = true
  override def copy(): Reports[T] = {
    val other = new Reports(deliver)
    other.pending.addAll(pending)
    other
  }

  override def merge(other: AccumulatorV2[T, JList[T]]): Unit = other.value.forEach(deliver(_))
}

object Reports {
  def ofFilters: Reports[FilterReport] = new Reports(FilterMonitor.record)
  def ofConstraints: Reports[ConstraintUse] = new Reports(ConstraintMonitor.record)
  def ofCaches: Reports[CacheUse] = new Reports(CacheMonitor.record)
}
