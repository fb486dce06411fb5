package org.streamon.spark.execution

import org.apache.spark.TaskContext
import org.apache.spark.sql.streamon.QueryName

/** The query that the running task belongs to.
  *
  * @param name
  *   the streaming query's id, or the batch execution's
  */
private[execution] final case class QueryOfTask(name: String, isStreaming: Boolean)

private[execution] object QueryOfTask {
  private val StreamingQueryId = "sql.streaming.queryId"
  private val ExecutionId = "spark.sql.execution.id"

  def apply(): QueryOfTask = {
    def property(key: String) = Option(TaskContext.get()).flatMap(task => Option(task.getLocalProperty(key)))
    property(StreamingQueryId).fold(
      QueryOfTask(property(ExecutionId).fold(QueryName.Nameless)(QueryName.ofBatch), isStreaming = false)
    )(QueryOfTask(_, isStreaming = true))
  }
}
