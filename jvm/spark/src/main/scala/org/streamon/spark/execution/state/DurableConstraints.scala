package org.streamon.spark.execution.state

/** What the state store has of the constraints of a partition: numbers, by name. */
trait DurableConstraints {

  /** None when there are none of this name. */
  def get(name: String): Option[Array[Long]]

  def put(name: String, numbers: Array[Long]): Unit

  def remove(name: String): Unit

  /** Removes all. */
  def clear(): Unit
}
