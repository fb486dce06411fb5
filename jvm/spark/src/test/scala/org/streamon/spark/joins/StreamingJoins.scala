package org.streamon.spark.joins

import java.nio.file.Path
import java.util.concurrent.ConcurrentHashMap

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.execution.streaming.runtime.StreamingQueryWrapper
import org.apache.spark.sql.streaming.{StateOperatorProgress, StreamingQuery, StreamingQueryException}
import org.streamon.spark.{InFolder, SparkSuite}
import org.streamon.spark.execution.joins.MJoinExec
import org.scalatest.Assertions

/** Runs joins of streams and keeps their results, over restarts as well. */
trait StreamingJoins extends InFolder { self: SparkSuite =>
  val rocksdb: (String, String) = "spark.sql.streaming.stateStore.providerClass" ->
    "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"

  /** A query that can be stopped and started again from its checkpoint. */
  final class Runs(frame: => DataFrame, checkpoint: Path) {
    private val results = new ConcurrentHashMap[Long, Seq[Row]]
    private var running: Option[StreamingQuery] = None

    def query: StreamingQuery = running.get

    def start(): StreamingQuery = {
      val keep: (DataFrame, Long) => Unit = (batch, id) => { results.put(id, batch.collect().toSeq); () }
      running = Some(
        frame.writeStream.option("checkpointLocation", checkpoint.toString).foreachBatch(keep).start()
      )
      query
    }

    def stop(): Unit = {
      running.foreach(_.stop())
      running = None
    }

    def restart(): Unit = {
      stop()
      start()
    }

    /** Waits until all data has been worked off. */
    def settle(): Unit = query.processAllAvailable()

    def rows: Seq[String] = results.values.asScala.flatten.map(_.toString).toSeq.sorted

    def operators: Seq[MJoinExec] = mjoins(query)

    /** The progress of the operator in all micro-batches of this run. */
    def progress: Seq[StateOperatorProgress] = query.recentProgress.toSeq.flatMap(_.stateOperators)
  }

  def mjoins(query: StreamingQuery): Seq[MJoinExec] = {
    val execution = query.asInstanceOf[StreamingQueryWrapper].streamingQuery.lastExecution
    if (execution == null) Nil else collectWithSubqueries(execution.executedPlan) { case j: MJoinExec => j }
  }

  def running[T](frame: => DataFrame)(body: Runs => T): T = inFolder { folder =>
    withConf(rocksdb) {
      val runs = new Runs(frame, folder.resolve("checkpoint"))
      runs.start()
      try body(runs)
      finally runs.stop()
    }
  }

  def inCheckpoint[T](body: Path => T): T = inFolder { folder =>
    withConf(rocksdb)(body(folder.resolve("checkpoint")))
  }

  /** One run of a query over what there is. */
  def runOver(query: => String, checkpoint: Path): Runs = {
    val runs = new Runs(spark.sql(query), checkpoint)
    runs.start()
    try runs.settle()
    finally runs.stop()
    runs
  }

  /** All that is said of why a query fails. */
  def failure(body: => Any): String =
    messages(Assertions.intercept[StreamingQueryException](body)).mkString("\n")

  def messages(error: Throwable): Seq[String] =
    Iterator.iterate(error)(_.getCause).takeWhile(_ != null).map(e => String.valueOf(e.getMessage)).toSeq
}
