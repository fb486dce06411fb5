package org.apache.spark.sql.streamon

/** The names of queries that are no streams, as people read them in the tables. A streaming query has its id.
  */
object QueryName {
  private val Batch = "execution-"

  /** What runs without an execution of SQL, such as an action on an RDD. */
  val Nameless = "none"

  /** @param execution
    *   the number that Spark gave to the execution
    */
  def ofBatch(execution: String): String = Batch + execution

  def isBatch(query: String): Boolean = query.startsWith(Batch)
}
