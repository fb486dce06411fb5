package org.streamon.spark.execution.state

/** The constraints of a partition in the state store: arrays of numbers by name. */
trait DurableConstraints {

  /** None when there are none of this name. */
  def get(name: String): Option[Array[Long]]

  def put(name: String, numbers: Array[Long]): Unit

  def remove(name: String): Unit

  /** Removes all. */
  def clear(): Unit
}
