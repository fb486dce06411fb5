package org.streamon.spark.inspection

import scala.collection.mutable

/** The latest queries within a limit of bytes. The very latest query is always kept. Queries without
  * operators of interest leave first: there are many more of them.
  */
private[inspection] final class LoggedQueries(bytesKept: Long) {
  private val queries = mutable.LinkedHashMap.empty[String, LoggedQuery]
  private var bytes = 0L

  def get(query: String): Option[LoggedQuery] = synchronized(queries.get(query))

  /** In the place of what was known of the query. */
  def put(query: LoggedQuery): Unit = synchronized {
    queries.remove(query.query).foreach(bytes -= _.bytes)
    queries.put(query.query, query)
    bytes += query.bytes
    while (bytes > bytesKept && queries.size > 1) queries.remove(leastOfUse.query).foreach(bytes -= _.bytes)
  }

  private def leastOfUse: LoggedQuery =
    queries.valuesIterator.take(queries.size - 1).find(!_.hasOperators).getOrElse(queries.head._2)

  /** The latest is at the end. */
  def all: Seq[LoggedQuery] = synchronized(queries.values.toList)
}
