package org.streamon.spark.joins

import org.apache.spark.sql.{DataFrame, Encoder}
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.runtime.MemoryStream

/** Streams in memory under the names of views, and what has been added to them.
  *
  * @param define
  *   makes of the raw rows the view that queries read
  */
final class Streams[T: Encoder](session: SparkSession, names: Seq[String])(
    define: (String, DataFrame) => DataFrame
) {
  private val streams = names.map(_ -> MemoryStream[T](session)).toMap
  private var added = names.map(_ -> Vector.empty[T]).toMap
  toStreams()

  def add(name: String, rows: T*): Unit = {
    streams(name).addData(rows)
    added = added.updated(name, added(name) ++ rows)
  }

  /** Runs `body` while the views stand for all rows added so far, as tables. */
  def asTables[R](body: => R): R = asTables(added)(body)

  /** Runs `body` while the views stand for tables of these rows. */
  def asTables[R](rows: Map[String, Seq[T]])(body: => R): R = {
    for ((name, rows) <- rows) define(name, session.createDataset(rows).toDF()).createOrReplaceTempView(name)
    try body
    finally toStreams()
  }

  private def toStreams(): Unit =
    for ((name, stream) <- streams) define(name, stream.toDF()).createOrReplaceTempView(name)
}
