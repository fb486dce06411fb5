package org.streamon.spark.metrics

import java.util.{ArrayList, Collections, List => JList}

import org.apache.spark.util.AccumulatorV2

/** Sends reports from tasks to the driver. Reports of which there may be very many contain only numbers, and
  * `deliver` adds the texts.
  *
  * @param deliver
  *   called on the driver, for each task that succeeded; tasks do not get it
  */
final class Reports[T](@transient private val deliver: T => Unit) extends AccumulatorV2[T, JList[T]] {
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
