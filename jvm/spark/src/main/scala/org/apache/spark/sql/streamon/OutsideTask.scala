package org.apache.spark.sql.streamon

import org.apache.spark.TaskContext

/** Runs code in a task as if it were outside of a task. Spark adds a listener to the task for each scan of a
  * state store, and the listener holds the scan. Listeners of very many scans would fill the heap.
  */
object OutsideTask {
  def apply[T](body: => T): T = {
    val task = TaskContext.get()
    TaskContext.unset()
    try body
    finally if (task != null) TaskContext.setTaskContext(task)
  }
}
