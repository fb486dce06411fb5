package org.apache.spark.sql.streamon

import org.apache.spark.TaskContext

/** Does something in a task as if it were in none. For each scan of a state store Spark leaves a listener
  * with the task, with all that the scan holds: the listeners of very many scans would fill the heap.
  */
object OutsideTask {
  def apply[T](body: => T): T = {
    val task = TaskContext.get()
    TaskContext.unset()
    try body
    finally if (task != null) TaskContext.setTaskContext(task)
  }
}
